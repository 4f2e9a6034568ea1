/** Decodes text: by its byte order mark, its declared charset, as UTF-8, else by detection. */
import { corrupt } from "./error.ts";

/** The text of `bytes`. Throws DOCUMENT_CORRUPT when they are no text. */
export function decodeText(bytes: Uint8Array, declaredCharset?: string): string {
  const marked = decodeByBom(bytes);
  if (marked !== undefined) return validateText(marked);
  if (declaredCharset !== undefined) {
    const text = tryDecode(bytes, declaredCharset);
    if (text !== undefined) return validateText(text);
  }
  const utf8 = tryDecode(bytes, "utf-8");
  if (utf8 !== undefined) return validateText(utf8);
  return validateText(decodeByDetection(bytes));
}

/** The charset parameter of a media type, or undefined. */
export function charsetOf(mediaType: string): string | undefined {
  return /charset\s*=\s*"?([\w.:-]+)/i.exec(mediaType)?.[1];
}

function decodeByBom(bytes: Uint8Array): string | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return tryDecode(bytes, "utf-8");
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return tryDecode(bytes, "utf-32le");
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return tryDecode(bytes, "utf-32be");
  if (a === 0xff && b === 0xfe) return tryDecode(bytes, "utf-16le");
  if (a === 0xfe && b === 0xff) return tryDecode(bytes, "utf-16be");
  return undefined;
}

function tryDecode(bytes: Uint8Array, label: string): string | undefined {
  const utf32 = /^utf-?32(le|be)?$/i.exec(label);
  if (utf32 !== null) return decodeUtf32(bytes, utf32[1]?.toLowerCase());
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(label, { fatal: true });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** TextDecoder has no UTF-32. Without an order, the mark tells it; without a mark, it is big. */
function decodeUtf32(bytes: Uint8Array, endianness?: string): string | undefined {
  if (bytes.length % 4 !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = (endianness ?? (bytes[0] === 0xff ? "le" : "be")) === "le";
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) {
    const point = view.getUint32(at, little);
    if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return undefined;
    if (at > 0 || point !== 0xfeff) text += String.fromCodePoint(point);
  }
  return text;
}

/** Text holds no NUL and next to no control characters. */
function validateText(text: string): string {
  if (text.includes("\0")) throw corrupt("The text holds NUL characters");
  // deno-lint-ignore no-control-regex -- control characters are what is counted
  const controls = text.match(/[\x01-\x08\x0e-\x1a\x1c-\x1f]/g)?.length ?? 0;
  if (controls > Math.max(4, text.length / 100)) {
    throw corrupt("The bytes are no text in any known encoding");
  }
  return text.replace(/\r\n?/g, "\n");
}

/** For what is no UTF-8: UTF-16 by its zeros, the other sets by what is written, else 1252. */
function decodeByDetection(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, 4_000);
  let [even, odd] = [0, 0];
  sample.forEach((byte, index) => {
    if (byte === 0) index % 2 === 0 ? even++ : odd++;
  });
  if (odd > sample.length / 5) return tryDecode(bytes, "utf-16le") ?? "\0";
  if (even > sample.length / 5) return tryDecode(bytes, "utf-16be") ?? "\0";
  // In wide scripts line ends and punctuation have a zero, and hardly anything else.
  if (even !== odd) {
    const text = tryDecode(bytes, odd > even ? "utf-16le" : "utf-16be");
    // Without a line end it may as well be Latin text with a stray zero.
    if (text?.includes("\n") && isMostlyScript(text, CJK_CHARACTERS)) return text;
  }
  for (const [label, letters] of MULTI_BYTE_ENCODINGS) {
    const text = tryDecode(bytes, label);
    if (text !== undefined && isMostlyScript(text, letters)) return text;
  }
  return decodeAlphabetic(bytes) ?? tryDecode(bytes, "windows-1252") ?? "\0";
}

/** Letters of scripts whose code points need both bytes: kana, Han, Hangul, and their signs. */
const CJK_CHARACTERS = /[\u3001-\u30ff\u4e00-\u9fff\uac00-\ud7af\uff01-\uff5e]/g;

/** Each with the letters that text in it is mostly made of. */
const MULTI_BYTE_ENCODINGS: readonly (readonly [string, RegExp])[] = [
  ["shift_jis", /[\u3040-\u30ff\u4e00-\u9fff\u3000-\u3002\uff01-\uff5e]/g],
  // Most Korean text is valid EUC-JP as well, and never the other way round: kana are no hangul.
  ["euc-kr", /[\uac00-\ud7af]/g],
  ["euc-jp", /[\u3040-\u30ff\u4e00-\u9fff\u3000-\u3002]/g],
  ["gb18030", /[\u4e00-\u9fff\u3000-\u3002\uff01-\uff5e]/g],
  ["big5", /[\u4e00-\u9fff\u3000-\u3002\uff01-\uff5e]/g],
];

/** In these scripts letters stand together; a lone one between Latin letters is a wrong guess. */
function isMostlyScript(text: string, letters: RegExp): boolean {
  const wide = text.match(/\P{ASCII}/gu)?.length ?? 0;
  const inRuns = text.match(/\P{ASCII}{2,}/gu)?.join("").length ?? 0;
  return wide > 0 && inRuns > 0.6 * wide && (text.match(letters)?.length ?? 0) > 0.85 * wide;
}

/** Each with the letters of its script, and the commonest of them: they have other bytes in each. */
const SINGLE_BYTE_ENCODINGS: readonly (readonly [string, RegExp, RegExp])[] = [
  ["windows-1251", /[а-яё]{3,}/gi, /[оеаинтсрв]/gi],
  ["koi8-r", /[а-яё]{3,}/gi, /[оеаинтсрв]/gi],
  ["windows-1253", /[\u0370-\u03ff]{3,}/g, /[αάοόιίεέτσςν]/gi],
];

/**
 * Text that is mostly words of one alphabet, with capitals at their beginning, in the encoding
 * in which its letters are the most common ones.
 */
function decodeAlphabetic(bytes: Uint8Array): string | undefined {
  let [best, most] = [undefined as string | undefined, -1];
  for (const [label, words, common] of SINGLE_BYTE_ENCODINGS) {
    const text = tryDecode(bytes, label) ?? "";
    const high = text.match(/\P{ASCII}/gu)?.length ?? 0;
    const written = (text.match(words) ?? []).filter((word) => !/\p{Ll}\p{Lu}/u.test(word)).join(
      "",
    );
    if (high <= 8 || written.length <= 0.6 * high) continue;
    const share = (written.match(common)?.length ?? 0) / high;
    if (share > most) [best, most] = [text, share];
  }
  return best;
}
