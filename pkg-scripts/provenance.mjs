// Writes what a package was built of into it: node provenance.mjs PACKAGE "wasm-bindgen VERSION"
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [folder, bindgen] = process.argv.slice(2);
const output = (program, ...args) => {
  try {
    return execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return null;
  }
};
const version = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")).version;
const dist = join(folder, "dist");
const files = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .sort();
const digest = (file) => createHash("sha256").update(readFileSync(file)).digest("hex");
const status = output("git", "status", "--porcelain");
const provenance = {
  // Null where it was not built from a checkout.
  commit: output("git", "rev-parse", "HEAD"),
  changed: status === null ? null : status !== "",
  rust: output("rustc", "--version"),
  "wasm-bindgen": bindgen.replace("wasm-bindgen ", ""),
  binaryen: version("binaryen"),
  typescript: version("typescript"),
  sha256: Object.fromEntries(files.map((file) => [file.slice(folder.length + 1), digest(file)])),
};
writeFileSync(join(folder, "provenance.json"), JSON.stringify(provenance, null, 2) + "\n");
