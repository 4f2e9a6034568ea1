/** Decodes RTF text bytes according to their font's charset, or the symbol font itself. */
import { symbolText } from "../../symbol_fonts.ts";

const ENCODING_BY_CHARSET: Readonly<Record<number, string>> = {
  77: "macintosh",
  128: "shift_jis",
  129: "euc-kr",
  134: "gb18030",
  136: "big5",
  161: "windows-1253",
  162: "windows-1254",
  163: "windows-1258",
  177: "windows-1255",
  178: "windows-1256",
  186: "windows-1257",
  204: "windows-1251",
  222: "windows-874",
  238: "windows-1250",
};

const ENCODING_BY_CODE_PAGE: Readonly<Record<number, string>> = {
  874: "windows-874",
  932: "shift_jis",
  936: "gb18030",
  949: "euc-kr",
  950: "big5",
  10000: "macintosh",
  65001: "utf-8",
};

const MULTI_BYTE_ENCODINGS = new Set(["shift_jis", "gb18030", "euc-kr", "big5", "utf-8"]);

/** A file's fonts and their charsets. A character's bytes can be split across tokens. */
export class CodePages {
  readonly #fonts = new Map<number, string>();
  readonly #decoders = new Map<string, TextDecoder>();
  /** Names of the fonts, as far as they have been read. */
  readonly #names = new Map<number, string>();
  #default = "windows-1252";
  #currentFont = 0;
  #openDecoder: TextDecoder | undefined;

  /** Sets the code page for fonts without a charset. */
  setDefault(codePage: number): void {
    this.#default = encodingLabel(codePage);
  }

  /**
   * Handles a font table control word.
   *
   * @param onFont Called with the number of the font defined by the next words.
   */
  fontWord(word: string, value: number | undefined, onFont: (font: number) => void): void {
    if (word === "f") {
      this.#currentFont = value ?? 0;
      onFont(this.#currentFont);
    } else if (word === "fcharset") {
      const label = ENCODING_BY_CHARSET[value ?? 0];
      if (label !== undefined) this.#fonts.set(this.#currentFont, label);
    } else if (word === "cpg" && value !== undefined) {
      this.#fonts.set(this.#currentFont, encodingLabel(value));
    }
  }

  /** Handles text in the font table, which is the name of the current font. */
  fontName(text: string): void {
    const name = (this.#names.get(this.#currentFont) ?? "") + text;
    this.#names.set(this.#currentFont, name.replace(/;.*$/s, "").trimStart());
  }

  /** Returns a Unicode character in `font`. Symbol fonts map private use characters. */
  character(code: number, font: number): string {
    return this.#symbol(code, font) ?? String.fromCharCode(code);
  }

  #symbol(code: number, font: number): string | undefined {
    return symbolText(this.#names.get(font) ?? "", code) || undefined;
  }

  /**
   * Decodes bytes in `font`. The first byte of a multi-byte character is buffered until the rest
   * arrives.
   */
  decode(bytes: Uint8Array, font: number): string {
    if (bytes.length === 0) return "";
    if (symbolText(this.#names.get(font) ?? "", 0) !== undefined) {
      return Array.from(
        bytes,
        (byte) => this.#symbol(byte, font) ?? (byte < 0x80 ? String.fromCharCode(byte) : ""),
      )
        .join("");
    }
    const label = this.#fonts.get(font) ?? this.#default;
    let decoder = this.#decoders.get(label);
    if (decoder === undefined) {
      decoder = new TextDecoder(label);
      this.#decoders.set(label, decoder);
    }
    // Only multi-byte encodings can leave a character incomplete. For the rest, we decode
    // everything at once, since streaming costs more.
    if (!MULTI_BYTE_ENCODINGS.has(label)) return decoder.decode(bytes);
    this.#openDecoder = decoder;
    return decoder.decode(bytes, { stream: true });
  }

  /** Discards an incomplete character. */
  flush(): void {
    this.#openDecoder?.decode();
    this.#openDecoder = undefined;
  }
}

function encodingLabel(codePage: number): string {
  const known = ENCODING_BY_CODE_PAGE[codePage];
  if (known !== undefined) return known;
  return codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : "windows-1252";
}
