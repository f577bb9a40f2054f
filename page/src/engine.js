// The engine: the page's side of a worker.  A worker that is busy with a model that nobody wants any more is
// ended and replaced.
const pending = new Map();
let count = 0;

async function unpack(text) {
  const data = Uint8Array.from(atob(text.replace(/\s+/g, "")), (c) => c.charCodeAt(0));
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

let bytes;
const source = URL.createObjectURL(new Blob([__WORKER__], { type: "text/javascript" }));

export class Engine {
  constructor(onNow) {
    this.onNow = onNow;
    this.waiting = 0;
  }
  async start() {
    bytes ??= await unpack(document.getElementById("module").textContent);
    this.worker = new Worker(source);
    this.worker.onmessage = ({ data }) => {
      if (data.type === "now") {
        this.onNow?.(data);
        return;
      }
      this.waiting--;
      pending.get(data.id)?.(data.answer);
      pending.delete(data.id);
    };
    return this.call("load", { bytes });
  }
  call(call, what = {}) {
    const id = ++count;
    this.waiting++;
    return new Promise((resolve) => {
      pending.set(id, resolve);
      this.worker.postMessage({ ...what, call, id });
    });
  }
  // For a new model: a worker in the middle of long bounds does not listen.
  async fresh() {
    if (this.waiting) {
      this.worker.terminate();
      this.waiting = 0;
      await this.start();
    }
  }
  stop() {
    this.worker?.terminate();
  }
}
