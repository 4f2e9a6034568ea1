/** Splits RTF into tokens: group marks, control words, bytes and text. */

/** An RTF token. Text is the file's raw bytes, interpreted according to the font's charset. */
export type RtfToken =
  | { readonly kind: "open" }
  | { readonly kind: "close" }
  | { readonly kind: "word"; readonly word: string; readonly value: number | undefined }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array };

const BACKSLASH = 0x5c;

/** Yields a file's tokens. Skips binary data (`\bin`). */
export function* tokenizeRtf(bytes: Uint8Array): Generator<RtfToken> {
  let at = 0;
  const text = new Uint8Array(bytes.length);
  let length = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (byte !== BACKSLASH && byte !== 0x7b && byte !== 0x7d) {
      if (byte !== 0x0d && byte !== 0x0a && byte !== 0) text[length++] = byte;
      at++;
      continue;
    }
    const isHex = byte === BACKSLASH && bytes[at + 1] === 0x27;
    if (isHex) {
      const code = Number.parseInt(
        String.fromCharCode(bytes[at + 2] ?? 48, bytes[at + 3] ?? 48),
        16,
      );
      if (!Number.isNaN(code)) text[length++] = code;
      at += 4;
      // Yield escaped bytes as separate tokens, so that a Unicode escape can skip exactly its own
      // fallback.
      yield { kind: "bytes", bytes: text.slice(0, length) };
      length = 0;
      continue;
    }
    if (length > 0) yield { kind: "bytes", bytes: text.slice(0, length) };
    length = 0;
    if (byte === 0x7b) yield { kind: "open" };
    else if (byte === 0x7d) yield { kind: "close" };
    else {
      const { token, next } = controlWord(bytes, at + 1);
      at = next;
      if (token.word === "bin") at += Math.max(0, token.value ?? 0);
      else yield token;
      continue;
    }
    at++;
  }
  if (length > 0) yield { kind: "bytes", bytes: text.slice(0, length) };
}

function controlWord(bytes: Uint8Array, start: number) {
  let at = start;
  const isLetter = (byte = 0) => (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90);
  while (isLetter(bytes[at]) && at - start < 40) at++;
  if (at === start) {
    const word = String.fromCharCode(bytes[at] ?? 0);
    return { token: { kind: "word" as const, word, value: undefined }, next: at + 1 };
  }
  const word = String.fromCharCode(...bytes.subarray(start, at));
  const valueStart = at;
  if (bytes[at] === 0x2d) at++;
  while ((bytes[at] ?? 0) >= 48 && (bytes[at] ?? 0) <= 57 && at - valueStart < 12) at++;
  const digits = String.fromCharCode(...bytes.subarray(valueStart, at));
  const value = /\d/.test(digits) ? Number.parseInt(digits, 10) : undefined;
  return { token: { kind: "word" as const, word, value }, next: bytes[at] === 0x20 ? at + 1 : at };
}
