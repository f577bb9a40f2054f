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

// A state from a link or a file, as open() takes it; says what it lacks.
export function readState(what) {
  const isChoice = (c) => c === "?" || (Number.isInteger(c) && c >= 0);
  const isList = (list, good) => list === undefined || (Array.isArray(list) && list.every(good));
  const isCount = (n, most) => n === undefined || (Number.isInteger(n) && n >= 0 && n <= most);
  const isText = (text) => text === undefined || typeof text === "string";
  if (typeof what?.spec !== "string" && typeof what?.file !== "string") throw new Error("the state has no model");
  const wrong = [
    ["spec", isText], ["file", isText], ["name", isText], ["layout", isText], ["cost", (c) => c === undefined || (typeof c === "number" && c >= 0)],
    ["prices", (list) => isList(list, (p) => Array.isArray(p) && Number.isInteger(p[0]) && typeof p[1] === "number")],
    ["seed", (n) => isCount(n, 2 ** 53)], ["budget", (n) => isCount(n, 1e6)], ["branch", (n) => isCount(n, 1e6)],
    ["choices", (list) => isList(list, isChoice)], ["branches", (list) => isList(list, (one) => Array.isArray(one) && one.every(isChoice))],
  ].find(([key, good]) => !good(what[key]));
  if (wrong) throw new Error(`the state has something else than expected as '${wrong[0]}'`);
  return what;
}

export function save(name, text, type = "text/plain") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// A recording: a line for the subject, one per moment, one for the end (docs/AGENT.md).
// What the page reads of a step, and whether it is there.
const isDecision = (d) => typeof d?.expansions === "number" && "lower" in d && "upper" in d;
const FIELDS = [
  ["action", (m) => m.action === null || typeof m.action === "string"],
  ["state", (m) => typeof m.state === "string"],
  ["step", (m) => Number.isInteger(m.step)],
  ["reward", (m) => typeof m.reward === "number"],
  ["belief", (m) => Array.isArray(m.belief?.largest) && m.belief.largest.every((one) => Array.isArray(one) && typeof one[1] === "number")],
  ["choices", (m) => Array.isArray(m.choices) && m.choices.every((c) => c && typeof c.name === "string")],
  ["decision", (m) => isDecision(m.decision)],
  ["after", (m) => m.after === undefined || m.after === null || isDecision(m.after)],
  ["answers", (m) => m.answers === undefined || (Array.isArray(m.answers) && m.answers.every((a) => a && typeof a === "object"))],
];
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
    const lacks = FIELDS.find(([, found]) => !found(moment));
    if (lacks) throw new Error(`line ${i + 2} of the recording lacks '${lacks[0]}', or has something else there`);
  });
  if (!moments.length) throw new Error("the recording has no steps");
  return { subject, moments };
}
