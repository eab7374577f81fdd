// The module as it is shipped gives the bits of the golden file.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { SmoothClir } from "smooth-clir";

const golden = (name) => fileURLToPath(new URL(`../golden/${name}`, import.meta.url));

const bits = (score) => {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, score);
  return view.getUint32(0).toString(16).padStart(8, "0");
};

const networks = [
  ["average", ""],
  ["cnn", "cnn-"],
  ["lstm", "lstm-"],
  ["linear", "linear-"],
  ["sparse_code", "sparse-code-"],
];
for (const [network, prefix] of networks) {
  test(`scores and rankings of the shipped module are the golden ones, bit for bit: ${network}`, async () => {
    const engine = await SmoothClir.load({
      model: golden(`${prefix}model.safetensors`),
      documents: golden(`${prefix}index.safetensors`),
    });
    const lines = readFileSync(golden(`${prefix}scores.tsv`), "utf8").trimEnd().split("\n");
    assert.equal(lines.length, 40);
    for (const line of lines) {
      const [query, epsilon, ...expected] = line.split("\t");
      const hits = await engine.search(query, { epsilon: Number(epsilon), limit: 1000 });
      assert.deepEqual(
        hits.map((hit) => `${hit.id} ${bits(hit.score)}`),
        expected,
        `${query} at epsilon ${epsilon}`,
      );
    }
    engine.close();
  });
}
