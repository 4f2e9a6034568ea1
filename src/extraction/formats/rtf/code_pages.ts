/** Bytes of RTF text → characters, by the charset of the font they are set in. */

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

/** The fonts of a file and their charsets. A character may come in several tokens. */
export class CodePages {
  readonly #fonts = new Map<number, string>();
  readonly #decoders = new Map<string, TextDecoder>();
  #default = "windows-1252";
  #defining = 0;
  #openDecoder: TextDecoder | undefined;

  /** Sets the code page of text in fonts without a charset. */
  setDefault(codePage: number): void {
    this.#default = encodingLabel(codePage);
  }

  /** A control word inside the font table. */
  fontWord(word: string, value: number | undefined, onFont: (font: number) => void): void {
    if (word === "f") {
      this.#defining = value ?? 0;
      onFont(this.#defining);
    } else if (word === "fcharset") {
      const label = ENCODING_BY_CHARSET[value ?? 0];
      if (label !== undefined) this.#fonts.set(this.#defining, label);
    } else if (word === "cpg" && value !== undefined) {
      this.#fonts.set(this.#defining, encodingLabel(value));
    }
  }

  /** Decodes bytes set in `font`; the first byte of a pair waits for the second. */
  decode(bytes: Uint8Array, font: number): string {
    if (bytes.length === 0) return "";
    const label = this.#fonts.get(font) ?? this.#default;
    let decoder = this.#decoders.get(label);
    if (decoder === undefined) {
      decoder = new TextDecoder(label);
      this.#decoders.set(label, decoder);
    }
    // Only these leave a character open; keeping a decoder open costs more than decoding.
    if (!MULTI_BYTE_ENCODINGS.has(label)) return decoder.decode(bytes);
    this.#openDecoder = decoder;
    return decoder.decode(bytes, { stream: true });
  }

  /** Forgets the first half of a character whose second half never came. */
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
