/** Reads and writes Protocol Buffers messages field by field, for ONNX files. */

/** Wire types. */
const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** A message field. */
export interface Field {
  readonly number: number;
  readonly encoded: Uint8Array;
  /** The value, without the field number or length. */
  readonly content: Uint8Array;
}

/** Splits a message into its fields. Contents are views of the message. */
export function fieldsOf(message: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const readVarint = () => {
    let value = 0;
    for (let shift = 0;; shift += 7) {
      const byte = message[at++]!;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const start = at;
    const key = readVarint();
    const wire = key & 7;
    let from = at;
    if (wire === WIRE.bytes) {
      const length = readVarint();
      from = at;
      at += length;
    } else if (wire === WIRE.varint) readVarint();
    else at += wire === WIRE.fixed64 ? 8 : 4;
    fields.push({
      number: key >>> 3,
      encoded: message.subarray(start, at),
      content: message.subarray(from, at),
    });
  }
  return fields;
}

/** Encodes a length-delimited field from pieces of its content. */
export function encodeField(number: number, content: readonly Uint8Array[]): Uint8Array[] {
  const length = content.reduce((sum, piece) => sum + piece.length, 0);
  return [varint(number << 3 | WIRE.bytes), varint(length), ...content];
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (; value > 0x7f; value >>>= 7) bytes.push(value & 0x7f | 0x80);
  return Uint8Array.of(...bytes, value);
}
