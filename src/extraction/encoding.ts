/**
 * Decodes text. Tries the byte order mark first, then the declared charset, then UTF-8, also with a
 * few damaged bytes, and finally detection.
 */
import { corrupt } from "./error.ts";

/**
 * Returns `bytes` as text, with line endings normalized to line feeds.
 *
 * @param declaredCharset charset declared by the file or its media type; ignored if the bytes
 *   aren't valid in it
 * @throws {ExtractionError} DOCUMENT_CORRUPT if the bytes aren't text
 */
export function decodeText(bytes: Uint8Array, declaredCharset?: string): string {
  const byBom = decodeByBom(bytes);
  if (byBom !== undefined) return validateText(byBom);
  if (declaredCharset !== undefined) {
    const text = tryDecode(bytes, declaredCharset);
    if (text !== undefined) return validateText(text);
  }
  const utf8 = tryDecode(bytes, "utf-8");
  if (utf8 !== undefined) return validateText(utf8);
  return validateText(decodeDamagedUtf8(bytes) ?? decodeByDetection(bytes));
}

/** Returns a media type's charset parameter, or undefined if there is none. */
export function charsetOf(mediaType: string): string | undefined {
  return /charset\s*=\s*"?([\w.:-]+)/i.exec(mediaType)?.[1];
}

/** Encodings in which a declaration couldn't be read as ASCII. */
const WIDE_ENCODING = /^(?:cs)?(?:utf-?(?:16|32)|unicode|ucs|iso-10646)/i;

/**
 * Returns the charset declared in a page's first 4,096 bytes, or `undefined` if there isn't one. A
 * declaration that can be read as ASCII and declares UTF-16 is wrong, and ignored as in browsers.
 */
export function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 4_096));
  const label = /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1] ??
    /<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1];
  return label === undefined || WIDE_ENCODING.test(label) ? undefined : label;
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

/**
 * Decodes UTF-32, which TextDecoder doesn't support. Without `endianness`, goes by the byte order
 * mark, or defaults to big-endian if there is none.
 */
function decodeUtf32(bytes: Uint8Array, endianness?: string): string | undefined {
  if (bytes.length % 4 !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittleEndian = (endianness ?? (bytes[0] === 0xff ? "le" : "be")) === "le";
  let text = "";
  for (let offset = 0; offset < bytes.length; offset += 4) {
    const codePoint = view.getUint32(offset, isLittleEndian);
    if (codePoint > 0x10ffff || (codePoint >= 0xd800 && codePoint < 0xe000)) return undefined;
    if (offset > 0 || codePoint !== 0xfeff) text += String.fromCodePoint(codePoint);
  }
  return text;
}

/** Minimum number of valid UTF-8 sequences for each damaged one. Other encodings have far fewer. */
const MIN_VALID_SEQUENCES = 10;

/**
 * Decodes UTF-8 in which a few bytes are damaged, such as a log that was cut inside a character.
 * Returns undefined for text in another encoding.
 */
function decodeDamagedUtf8(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes);
  if (text.includes("\0")) return undefined;
  let [damaged, valid] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isLowSurrogate = code >= 0xdc00 && code < 0xe000;
    if (code === 0xfffd) damaged++;
    else if (code >= 0x80 && !isLowSurrogate) valid++;
  }
  return valid >= MIN_VALID_SEQUENCES * damaged ? text : undefined;
}

/**
 * Makes sure that text contains no NULs and few control characters, and normalizes its line
 * endings.
 */
function validateText(text: string): string {
  if (text.includes("\0")) {
    throw corrupt("The text contains NUL characters; check that the file is a text file");
  }
  // deno-lint-ignore no-control-regex -- control characters are what is counted
  const controlCount = text.match(/[\x01-\x08\x0e-\x1a\x1c-\x1f]/g)?.length ?? 0;
  if (controlCount > Math.max(4, text.length / 100)) {
    throw corrupt("The file is not text in a supported encoding; save it as UTF-8");
  }
  return text.replace(/\r\n?/g, "\n");
}

/**
 * Decodes bytes that aren't valid UTF-8. Recognizes UTF-16 by its zero bytes and other encodings by
 * the letters they produce. Defaults to Windows-1252.
 */
function decodeByDetection(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, 4_000);
  let [evenZeros, oddZeros] = [0, 0];
  sample.forEach((byte, index) => {
    if (byte === 0) index % 2 === 0 ? evenZeros++ : oddZeros++;
  });
  if (oddZeros > sample.length / 5) return tryDecode(bytes, "utf-16le") ?? "\0";
  if (evenZeros > sample.length / 5) return tryDecode(bytes, "utf-16be") ?? "\0";
  // In UTF-16, CJK text only has zero bytes in line endings and some punctuation.
  if (evenZeros !== oddZeros) {
    const text = tryDecode(bytes, oddZeros > evenZeros ? "utf-16le" : "utf-16be");
    // Without a line ending, this could just as well be Latin text with a stray zero byte.
    if (text?.includes("\n") && isMostlyScript(text, CJK_CHARACTERS)) return text;
  }
  for (const [label, letters] of MULTI_BYTE_ENCODINGS) {
    const text = tryDecode(bytes, label);
    if (text !== undefined && isMostlyScript(text, letters)) return text;
  }
  return decodeAlphabetic(bytes) ?? tryDecode(bytes, "windows-1252") ?? "\0";
}

/**
 * Characters without a zero byte in their UTF-16 code units: kana, Han, Hangul and their
 * punctuation.
 */
const CJK_CHARACTERS = /[\u3001-\u30ff\u4e00-\u9fff\uac00-\ud7af\uff01-\uff5e]/g;

/** Multi-byte encodings, each with the characters that dominate texts in it. */
const MULTI_BYTE_ENCODINGS: readonly (readonly [string, RegExp])[] = [
  ["shift_jis", /[\u3040-\u30ff\u4e00-\u9fff\u3000-\u3002\uff01-\uff5e]/g],
  // Most Korean text is also valid EUC-JP, but not vice versa, as kana don't decode to Hangul.
  ["euc-kr", /[\uac00-\ud7af]/g],
  ["euc-jp", /[\u3040-\u30ff\u4e00-\u9fff\u3000-\u3002]/g],
  ["gb18030", /[\u4e00-\u9fff\u3000-\u3002\uff01-\uff5e]/g],
  ["big5", /[\u4e00-\u9fff\u3000-\u3002\uff01-\uff5e]/g],
];

/**
 * Checks whether most non-ASCII characters in a text match `letters`. In these scripts, letters
 * come in runs. A lone one between Latin letters means we guessed wrong.
 */
function isMostlyScript(text: string, letters: RegExp): boolean {
  const nonAsciiCount = text.match(/\P{ASCII}/gu)?.length ?? 0;
  const inRunsCount = text.match(/\P{ASCII}{2,}/gu)?.join("").length ?? 0;
  return nonAsciiCount > 0 && inRunsCount > 0.6 * nonAsciiCount &&
    (text.match(letters)?.length ?? 0) > 0.85 * nonAsciiCount;
}

/**
 * Single-byte encodings, each with its script's words and most common letters. The bytes for these
 * letters differ between encodings.
 */
const SINGLE_BYTE_ENCODINGS: readonly (readonly [string, RegExp, RegExp])[] = [
  ["windows-1251", /[а-яё]{3,}/gi, /[оеаинтсрв]/gi],
  ["koi8-r", /[а-яё]{3,}/gi, /[оеаинтсрв]/gi],
  ["windows-1253", /[\u0370-\u03ff]{3,}/g, /[αάοόιίεέτσςν]/gi],
];

/**
 * Returns text made up mostly of words in a single alphabet, capitalized only at the start of
 * words. If several encodings match, the one in which common letters are most frequent wins.
 * Returns undefined if none matches.
 */
function decodeAlphabetic(bytes: Uint8Array): string | undefined {
  let [best, bestShare] = [undefined as string | undefined, -1];
  for (const [label, words, common] of SINGLE_BYTE_ENCODINGS) {
    const text = tryDecode(bytes, label) ?? "";
    const nonAsciiCount = text.match(/\P{ASCII}/gu)?.length ?? 0;
    const wordLetters = (text.match(words) ?? [])
      .filter((word) => !/\p{Ll}\p{Lu}/u.test(word)).join("");
    if (nonAsciiCount <= 8 || wordLetters.length <= 0.6 * nonAsciiCount) continue;
    const share = (wordLetters.match(common)?.length ?? 0) / nonAsciiCount;
    if (share > bestShare) [best, bestShare] = [text, share];
  }
  return best;
}
