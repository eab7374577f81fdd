// The tensors of safetensors files.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

/** A function that gives the tensor of a name: bytes, or numbers of 32 bits. */
export function tensors(path) {
  const bytes = readFileSync(path);
  const length = Number(bytes.readBigUInt64LE());
  const header = JSON.parse(bytes.subarray(8, 8 + length).toString());
  return (tensor) => {
    const { dtype, data_offsets: [start, end] } = header[tensor];
    const data = bytes.subarray(8 + length + start, 8 + length + end);
    if (dtype === "U8") return data;
    assert.equal(dtype, "F32");
    return new Float32Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.length));
  };
}
