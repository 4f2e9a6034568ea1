/**
 * Maps the characters of symbol fonts to Unicode. Those fonts have an encoding of their own, which
 * programs also write as private use characters, from U+F020.
 */

/** Characters of Adobe's Symbol encoding, from 0x20 and from 0xA0. "\0" isn't a character. */
const SYMBOL_LOW = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾" +
  "αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼";
const SYMBOL_HIGH = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓" +
  "◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\0⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭";

/** The signs of Wingdings, and of similar fonts, that occur in text. */
const WINGDINGS: Readonly<Record<number, string>> = {
  0x6c: "●",
  0x6e: "■",
  0x6f: "☐",
  0x76: "❖",
  0x9f: "•",
  0xa7: "▪",
  0xa8: "☐",
  0xb7: "•",
  0xd8: "➢",
  0xdf: "←",
  0xe0: "→",
  0xe8: "➔",
  0xfb: "✗",
  0xfc: "✓",
  0xfd: "☒",
  0xfe: "☑",
};

/**
 * Signs that most fonts with an encoding of their own have at the same position. That's where they
 * put bullets and checkboxes.
 */
const COMMON_SIGNS: Readonly<Record<number, string>> = {
  0x76: "•",
  0xa7: "•",
  0xa8: "☐",
  0xb7: "•",
  0xd8: "•",
  0xe0: "→",
  0xe8: "➔",
  0xfc: "✓",
  0xfd: "☒",
  0xfe: "☑",
};

const SYMBOL_FONT = /^symbol(?:mt|neu|ps|std)?(?:[,-].*)?$/i;
const WINGDINGS_FONT = /^wingdings(?:-regular)?$/i;
/** Fonts with pictures in place of letters. */
const PICTURE_FONT = /wingdings|webdings|dingbats/i;

/**
 * Returns the text of a character in a symbol font: `undefined` if the font is another one, and ""
 * if the font has no such character.
 *
 * @param code position in the font's encoding, or private use character
 */
export function symbolText(font: string, code: number): string | undefined {
  const position = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code;
  if (position > 0xff) return undefined;
  if (WINGDINGS_FONT.test(font)) return WINGDINGS[position] ?? "";
  if (!SYMBOL_FONT.test(font)) return undefined;
  const character = position >= 0xa0 ? SYMBOL_HIGH[position - 0xa0] : SYMBOL_LOW[position - 0x20];
  return character === undefined || character === "\0" ? "" : character;
}

/**
 * Returns the text of a private use character in any font, or "" if it's unknown. Fonts without a
 * table have the common signs, and else the letters of ASCII.
 */
export function privateUseText(font: string, code: number): string {
  const known = symbolText(font, code);
  if (known !== undefined) return known;
  const position = code - 0xf000;
  const isLetter = position >= 0x20 && position < 0x7f && !PICTURE_FONT.test(font);
  return COMMON_SIGNS[position] ?? (isLetter ? String.fromCharCode(position) : "");
}
