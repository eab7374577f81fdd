// Digests of a model's files, which the host computes for the core.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ownDigest } from "../../npm/dist/loading/own-digest.js";
import { HASHED_BYTES } from "../../npm/dist/limits.js";

const generated = fileURLToPath(new URL("../../www/dist/generated/", import.meta.url));
const files = ["query.safetensors", "document.fr.safetensors", "documents/fr/demo.safetensors"];
const bytesOf = async (file) => new Uint8Array(await readFile(join(generated, file)));
const stated = (bytes) => /"digest":"([0-9a-f]{64})"/.exec(Buffer.from(bytes).toString("latin1"))[1];
const unknown = new Uint8Array(32);
const hex = (digest) => Buffer.from(digest).toString("hex");

describe("the digest of a file's bytes", () => {
  for (const file of files) {
    test(`is the one that the trainer wrote into ${file}`, async () => {
      const bytes = await bytesOf(file);
      const before = hex(bytes);
      assert.equal(hex(await ownDigest(bytes)), stated(bytes));
      assert.equal(hex(bytes), before, "nothing of the file is changed");
    });
  }

  test("is another one after any change", async () => {
    const bytes = await bytesOf(files[0]);
    for (const at of [8, bytes.indexOf(stated(bytes).charCodeAt(0)), bytes.length - 1]) {
      const changed = bytes.slice();
      changed[at] ^= 1;
      assert.notEqual(hex(await ownDigest(changed)), stated(bytes));
    }
  });

  test("is not known where the file states none, is cut before it, or is too long to be copied", async () => {
    const bytes = await bytesOf(files[0]);
    const long = new Uint8Array(HASHED_BYTES + 1);
    long.set(bytes);
    for (const one of [new Uint8Array(), bytes.subarray(0, 20), new Uint8Array(1000), long]) assert.deepEqual(await ownDigest(one), unknown);
  });

  test("is not known where the host has no digests, as on a page that came by http", async () => {
    const bytes = await bytesOf(files[0]);
    const before = Object.getOwnPropertyDescriptor(globalThis, "crypto");
    Object.defineProperty(globalThis, "crypto", { value: {}, configurable: true });
    try {
      assert.deepEqual(await ownDigest(bytes), unknown);
    } finally {
      Object.defineProperty(globalThis, "crypto", before);
    }
  });
});
