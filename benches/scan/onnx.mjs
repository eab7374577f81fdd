// An ONNX file of one matrix product, written as protocol buffers.

const FLOAT = 1;

function varint(number) {
  const bytes = [];
  while (number >= 0x80) {
    bytes.push((number % 0x80) | 0x80);
    number = Math.floor(number / 0x80);
  }
  return Uint8Array.of(...bytes, number);
}

/** Pieces of bytes, not yet joined: the documents are large. */
const integer = (field, number) => [varint(field * 8), varint(number)];
function message(field, ...content) {
  const pieces = content.flat();
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return [varint(field * 8 + 2), varint(length), ...pieces];
}
const text = (field, string) => message(field, [new TextEncoder().encode(string)]);

function tensorInfo(field, name, shape) {
  const dimensions = shape.map((size) => message(1, integer(1, size))).flat();
  const tensor = message(1, integer(1, FLOAT), message(2, dimensions));
  return message(field, text(1, name), message(2, tensor));
}

/** scores [N, 1] = documents [N, dimension], held by the file, times query [dimension, 1]. */
export function matrixProduct(documents, dimension) {
  const count = documents.length / dimension;
  const raw = new Uint8Array(documents.buffer, documents.byteOffset, documents.byteLength);
  const node = [text(1, "documents"), text(1, "query"), text(2, "scores"), text(4, "MatMul")];
  const held = [integer(1, count), integer(1, dimension), integer(2, FLOAT), text(8, "documents"), message(9, [raw])];
  const graph = [
    message(1, ...node),
    text(2, "scan"),
    message(5, ...held),
    tensorInfo(11, "query", [dimension, 1]),
    tensorInfo(12, "scores", [count, 1]),
  ];
  const model = [integer(1, 8), message(7, ...graph), message(8, integer(2, 17))];
  const pieces = model.flat();
  const file = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    file.set(piece, at);
    at += piece.length;
  }
  return file;
}
