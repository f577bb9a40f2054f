const NONE = 0xffffffff; // GLIMPSE_ANY

// The WebAssembly module: texts in, JSON out.  In a worker of the page, and in the tests under node.
export async function load(bytes) {
  let memory;
  const wasi = new Proxy(
    {
      clock_time_get(_id, _precision, at) {
        new DataView(memory.buffer).setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
        return 0;
      },
    },
    { get: (known, name) => known[name] ?? (() => 52) }, // "not supported": there are no files here
  );
  const { instance } = await WebAssembly.instantiate(bytes, { wasi_snapshot_preview1: wasi });
  const c = instance.exports;
  memory = c.memory;
  c._initialize?.();
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const put = (text) => {
    const data = encoder.encode(text);
    const room = c.page_room(data.length);
    if (!room) throw new Error("out of memory");
    new Uint8Array(memory.buffer, room, data.length).set(data);
    return data.length;
  };
  const text = (at) => {
    const all = new Uint8Array(memory.buffer);
    return decoder.decode(all.subarray(at, all.indexOf(0, at)));
  };
  const json = (at) => JSON.parse(text(at));
  return {
    open: ({ spec, file }) => json(c.page_open(put(file ?? spec), file === undefined ? 0 : 1)),
    prepare: () => json(c.page_prepare()),
    price: (cost, inquiry = NONE) => json(c.page_price(inquiry, cost)),
    begin: (seed, episode = 0) => json(c.page_begin(seed, episode)),
    plan: (expansions) => c.page_plan(expansions),
    settle: (left = 0) => json(c.page_settle(left)),
    bounds: () => [c.page_expansions(), c.page_lower(), c.page_upper()],
    now: () => json(c.page_now()),
    choose: (choice, left = 0) => json(c.page_choose(choice === "?" ? NONE : choice, left)),
    graph: (depth, probability, plan) => json(c.page_graph(depth, probability, plan ? 1 : 0)),
    policy: (file) => json(c.page_policy(put(file))),
    curve: (expansions, points, inquiry = NONE) => json(c.page_curve(inquiry, expansions, points)),
    subject: () => text(c.page_subject()),
    write: () => text(c.page_write()),
    environments: () => json(c.page_environments()),
    memory: () => memory.buffer.byteLength,
  };
}

// Stops of a search after which more of it changes nothing (GLIMPSE_STOP_TABLE).
export const STOP = { memory: 3, solved: 6, rounding: 9 };
export const isFinal = (stop) => stop < 0 || stop === STOP.memory || stop === STOP.solved || stop === STOP.rounding;
