// What is shared: a small object, packed into the part of a link behind the #.
const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

export async function pack(what) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(what)), new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
}

export function save(name, text, type = "text/plain") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// A recording: a line for the subject, one per moment, one for the end (docs/AGENT.md).
export function readRecording(text) {
  const lines = text.split("\n").filter((line) => line.trim());
  const parsed = lines.map((line, i) => {
    try {
      return JSON.parse(line);
    } catch {
      if (i === lines.length - 1) return null; // a run that was killed
      throw new Error(`line ${i + 1} of the recording is not JSON`);
    }
  });
  const subject = parsed[0];
  if (subject?.glimpse !== "record") throw new Error("this is neither a model nor a recording of glimpse");
  if (subject.version !== 1) throw new Error(`the recording has version ${subject.version}; this page reads version 1`);
  const moments = parsed.slice(1).filter((line) => line && !line.end);
  moments.forEach((moment, i) => {
    for (const field of ["belief", "choices", "action", "state"])
      if (moment[field] === undefined) throw new Error(`line ${i + 2} of the recording lacks '${field}'`);
  });
  if (!moments.length) throw new Error("the recording has no steps");
  return { subject, moments };
}
