// A model and an index as TensorFlow.js needs them: numbers, and which words of a text have a row.

const decoder = new TextDecoder();

/** A safetensors file's tensors by name. */
export function tensors(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const start = 8 + Number(view.getBigUint64(0, true));
  const { __metadata__: metadata, ...header } = JSON.parse(decoder.decode(bytes.subarray(8, start)));
  const kinds = { I8: Int8Array, U8: Uint8Array, U32: Uint32Array, F32: Float32Array };
  const read = ({ dtype, data_offsets: [from, to] }) => new kinds[dtype](bytes.slice(start + from, start + to).buffer);
  return { config: JSON.parse(metadata.config), get: (name) => read(header[name]), text: (name) => decoder.decode(read(header[name])) };
}

/** The strings of an index, one for each document. */
export function strings(index, name) {
  const [bytes, offsets] = [index.get(name), index.get(`${name}.offsets`)];
  return Array.from({ length: offsets.length - 1 }, (_, at) => decoder.decode(bytes.subarray(offsets[at], offsets[at + 1])));
}

/** An encoder's words and rows. */
export function encoder(file, name) {
  const words = file.text(`${name}.vocabulary`).split("\n");
  const [integers, scales] = [file.get(`${name}.embedding`), file.get(`${name}.scale`)];
  const dimension = integers.length / scales.length;
  const rows = Float32Array.from(integers, (x, at) => x * scales[Math.floor(at / dimension)]);
  return { dimension, rows, words, places: new Map(words.map((word, at) => [word, at])) };
}

/** The rows of a text's words, as far as they have one: the core's rule for plain words. */
export const places = ({ places }, text) =>
  (text.normalize("NFC").toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).flatMap((word) => places.get(word) ?? []);
