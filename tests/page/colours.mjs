// Colours that carry a meaning stay apart for eyes that do not see all colours, in the light and in the dark.
//
//   node tests/page/colours.mjs
//
// What such eyes see is computed with the matrices of Machado, Oliveira and Fernandes (2009), which Chromium's emulation
// uses as well, in linear light; how far apart two colours are is their distance in CIELAB (76).
import { ok } from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const style = readFileSync(join(here, "../../page/src/style.css"), "utf8");
const eyes = {
  usual: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};
// Which two must be told apart, by at least so much; 20 is a difference that nobody misses.
const pairs = [["accent", "ask", 25], ["gain", "loss", 20], ["ask", "soft", 22], ["accent", "card", 35], ["ask", "card", 35], ["ink", "card", 60], ["soft", "card", 35], ["wall", "floor", 35], ["accent", "floor", 35], ["loss", "ask-soft", 20], ["accent-ink", "accent", 35]];

function palette(selector) {
  const from = style.indexOf(`${selector} {`), block = style.slice(from, style.indexOf("}", from));
  return Object.fromEntries([...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6})/g)].map(([, name, hex]) => [name, [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255)]));
}
const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const seen = (colour, eye) => {
  const [r, g, b] = colour.map(linear);
  return [0, 1, 2].map((i) => Math.min(1, Math.max(0, eye[3 * i] * r + eye[3 * i + 1] * g + eye[3 * i + 2] * b)));
};
function lab([r, g, b]) {
  const xyz = [(0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505, 0.2126 * r + 0.7152 * g + 0.0722 * b, (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089];
  const [x, y, z] = xyz.map((t) => (t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 * t + 16) / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

let least = Infinity, which;
const wrong = [];
for (const selector of [":root", '[data-theme="dark"]']) {
  const colours = palette(selector);
  for (const [name, eye] of Object.entries(eyes)) {
    for (const [one, two, most] of pairs) {
      const a = lab(seen(colours[one], eye)), b = lab(seen(colours[two], eye));
      const apart = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
      if (apart - most < least) [least, which] = [apart - most, `${one} and ${two} with ${name} in ${selector}: ${apart.toFixed(1)}`];
      if (!(apart >= most)) wrong.push(`${one} and ${two} are ${apart.toFixed(1)} apart with ${name} in ${selector}, not ${most}`);
    }
  }
}

// Texts can be read: contrast by WCAG 2.1, at least 4.5 for usual sizes.
const texts = [["ink", "card"], ["ink", "ground"], ["soft", "card"], ["soft", "ground"], ["soft", "floor"], ["soft", "faint"], ["ink", "ask-soft"], ["soft", "ask-soft"], ["accent-ink", "accent"], ["accent", "card"], ["ask-ink", "card"], ["loss", "card"], ["gain", "card"]];
let lowest = Infinity;
for (const selector of [":root", '[data-theme="dark"]']) {
  const colours = palette(selector);
  const light = (name) => [0.2126, 0.7152, 0.0722].reduce((sum, w, i) => sum + w * linear(colours[name][i]), 0.05);
  for (const [one, two] of texts) {
    const ratio = Math.max(light(one) / light(two), light(two) / light(one));
    lowest = Math.min(lowest, ratio);
    if (!(ratio >= 4.5)) wrong.push(`${one} on ${two} has a contrast of ${ratio.toFixed(2)} in ${selector}`);
  }
}
ok(!wrong.length, wrong.join("\n"));
console.log(`page: ${2 * Object.keys(eyes).length * pairs.length} pairs of colours are told apart; the nearest to its limit are ${which}; texts have a contrast of ${lowest.toFixed(1)} at least`);
