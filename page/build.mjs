// Puts the page together: one HTML file with everything inside.
//
//   node page/build.mjs BUILD      BUILD has glimpse.wasm and npm/node_modules
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const build = resolve(process.argv[2] ?? "build/page");
const packages = join(build, "npm", "node_modules");
const { build: bundle } = createRequire(join(build, "npm", "package.json"))("esbuild");
const read = (...path) => readFileSync(join(here, ...path), "utf8");

async function code(entry, define = {}) {
  const result = await bundle({
    entryPoints: [join(here, "src", entry)],
    bundle: true, minify: true, write: false, format: "iife", target: "es2022", legalComments: "none",
    outdir: build, nodePaths: [packages], define, logLevel: "warning",
  });
  const text = (end) => result.outputFiles.find((file) => file.path.endsWith(end))?.text ?? "";
  return { js: text(".js"), css: text(".css") };
}

const models = join(here, "..", "examples", "models");
const examples = Object.fromEntries(readdirSync(models).filter((name) => name.endsWith(".pomdp")).sort().map((name) => [name, readFileSync(join(models, name), "utf8")]));
const worker = (await code("worker.js")).js;
const main = await code("main.js", { __WORKER__: JSON.stringify(worker), __EXAMPLES__: JSON.stringify(examples) });
const licences = ["uplot", "d3-hierarchy"].map((name) => `${name} ${JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8")).version}\n\n${readFileSync(join(packages, name, "LICENSE"), "utf8")}`);
const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const debian = "/usr/share/doc/wasi-libc/copyright";
const wasi = `wasi-libc (musl) and LLVM's compiler-rt, parts of the module: MIT, Apache 2.0 with LLVM exceptions${existsSync(debian) ? `\n\n${readFileSync(debian, "utf8")}` : ""}`;
const parts = {
  STYLE: `${main.css}\n${read("src", "style.css")}`,
  LICENCES: escape([`glimpse\n\n${read("..", "LICENSE")}`, ...licences, wasi].join("\n\n----\n\n")),
  MODULE: gzipSync(readFileSync(join(build, "glimpse.wasm")), { level: 9 }).toString("base64"),
  SCRIPT: main.js.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--"),
};
const page = read("src", "index.html").replace(/\/\*(STYLE|LICENCES|MODULE|SCRIPT)\*\//g, (_, name) => parts[name]);
writeFileSync(join(build, "glimpse.html"), page);
console.log(`${join(build, "glimpse.html")}: ${Math.round(Buffer.byteLength(page) / 1000)} kB`);
if (Buffer.byteLength(page) >= 1e6) throw new Error("the page is not below 1 MB");
