/** Decodes text: by its byte order mark, its declared charset, as UTF-8, else by detection. */
import { corrupt } from "./error.ts";

/** The text of `bytes`. Throws DOCUMENT_CORRUPT when they are no text. */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  const marked = byMark(bytes);
  if (marked !== undefined) return accept(marked);
  if (declared !== undefined) {
    const text = tryDecode(bytes, declared);
    if (text !== undefined) return accept(text);
  }
  const utf8 = tryDecode(bytes, "utf-8");
  if (utf8 !== undefined) return accept(utf8);
  return accept(detect(bytes));
}

/** The charset parameter of a media type, or undefined. */
export function charsetOf(mediaType: string): string | undefined {
  return /charset\s*=\s*"?([\w.:-]+)/i.exec(mediaType)?.[1];
}

function byMark(bytes: Uint8Array): string | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return tryDecode(bytes, "utf-8");
  if (a === 0xff && b === 0xfe && !(c === 0 && d === 0)) return tryDecode(bytes, "utf-16le");
  if (a === 0xfe && b === 0xff) return tryDecode(bytes, "utf-16be");
  return undefined;
}

function tryDecode(bytes: Uint8Array, label: string): string | undefined {
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

/** Text holds no NUL and next to no control characters. */
function accept(text: string): string {
  if (text.includes("\0")) throw corrupt("The text holds NUL characters");
  // deno-lint-ignore no-control-regex -- control characters are what is counted
  const controls = text.match(/[\x01-\x08\x0e-\x1a\x1c-\x1f]/g)?.length ?? 0;
  if (controls > Math.max(4, text.length / 100)) {
    throw corrupt("The bytes are no text in any known encoding");
  }
  return text.replace(/\r\n?/g, "\n");
}

/** Detection for what is no UTF-8: UTF-16 by its zeros, the multi-byte sets by validity, else 1252. */
function detect(bytes: Uint8Array): string {
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
    if (text?.includes("\n") && isMostly(text, WIDE)) return text;
  }
  for (const [label, letters] of MULTI_BYTE) {
    const text = tryDecode(bytes, label);
    if (text !== undefined && isMostly(text, letters)) return text;
  }
  const cyrillic = tryDecode(bytes, "windows-1251");
  if (cyrillic !== undefined && looksCyrillic(cyrillic)) return cyrillic;
  return tryDecode(bytes, "windows-1252") ?? "\0";
}

/** Letters of scripts whose code points need both bytes: kana, Han, Hangul, and their signs. */
const WIDE = /[\u3001-\u30ff\u4e00-\u9fff\uac00-\ud7af\uff01-\uff5e]/g;

/** Each with the letters that text in it is mostly made of. */
const MULTI_BYTE: readonly (readonly [string, RegExp])[] = [
  ["shift_jis", /[\u3040-\u30ff\u4e00-\u9fff\u3000-\u3002\uff01-\uff5e]/g],
  ["euc-jp", /[\u3040-\u30ff\u4e00-\u9fff\u3000-\u3002]/g],
  ["euc-kr", /[\uac00-\ud7af]/g],
  ["gb18030", /[\u4e00-\u9fff\u3000-\u3002\uff01-\uff5e]/g],
  ["big5", /[\u4e00-\u9fff\u3000-\u3002\uff01-\uff5e]/g],
];

/** In these scripts letters stand together; a lone one between Latin letters is a wrong guess. */
function isMostly(text: string, letters: RegExp): boolean {
  const wide = text.match(/\P{ASCII}/gu)?.length ?? 0;
  const inRuns = text.match(/\P{ASCII}{2,}/gu)?.join("").length ?? 0;
  return wide > 0 && inRuns > 0.6 * wide && (text.match(letters)?.length ?? 0) > 0.85 * wide;
}

function looksCyrillic(text: string): boolean {
  const high = text.match(/\P{ASCII}/gu)?.length ?? 0;
  const words = text.match(/[а-яё]{3,}/gi)?.join("").length ?? 0;
  return high > 8 && words > 0.6 * high;
}
