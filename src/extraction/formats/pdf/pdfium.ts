/** Wraps the PDFium functions needed for extraction, running in WebAssembly. */
import { init } from "@embedpdf/pdfium";
import { corrupt, ExtractionError } from "../../error.ts";
import { type GreyImage, greyOf } from "../../ocr/grey_image.ts";

/**
 * Exports of the WebAssembly instance. The package's wrappers convert arguments by name on every
 * call. At a million characters per file, that takes four times as long as the call itself.
 */
interface PdfiumExports {
  readonly memory: WebAssembly.Memory;
  malloc(size: number): number;
  free(pointer: number): void;
  FPDF_LoadMemDocument(bytes: number, length: number, password: number): number;
  FPDF_GetLastError(): number;
}
type PdfiumFunctions = Readonly<Record<string, ((...args: number[]) => number) | undefined>>;

/** Maximum size of a text read at once, such as a form field's value, in bytes. */
const MAX_TEXT_BYTES = 1_000_000;

/** A null pointer. */
const NO_PASSWORD = 0;
const ERROR_PASSWORD = 4;
const ERROR_SECURITY = 5;

/** A running PDFium engine. Its memory grows with the largest file and never shrinks. */
export class PdfEngine {
  readonly exports: PdfiumExports;

  private constructor(exports: PdfiumExports) {
    this.exports = exports;
  }

  /** Starts PDFium from its WebAssembly code. */
  static async start(wasm: Uint8Array): Promise<PdfEngine> {
    const wrapped = await init({ wasmBinary: wasm.slice().buffer });
    wrapped.PDFiumExt_Init();
    return new PdfEngine(wrapped.pdfium.wasmExports as PdfiumExports);
  }
}

/** An open PDF. Call `close()` to free its memory in the engine. */
export class PdfFile {
  readonly #calls: PdfiumFunctions;
  readonly document: number;
  readonly pageCount: number;
  readonly #exports: PdfiumExports;
  /** Address of the file. PDFium reads from it as long as the file is open. */
  readonly #bytes: number;
  readonly #scratch: number;
  /** The form's environment and its settings, once they're needed. */
  #form: { readonly info: number; readonly handle: number } | undefined;
  #view: DataView;

  private constructor(exports: PdfiumExports, bytes: number, document: number) {
    this.#calls = exports as unknown as PdfiumFunctions;
    this.#bytes = bytes;
    this.document = document;
    this.#exports = exports;
    this.#scratch = exports.malloc(4096);
    this.#view = new DataView(exports.memory.buffer);
    this.pageCount = this.call("FPDF_GetPageCount", document);
  }

  /**
   * Opens a PDF.
   *
   * @throws {ExtractionError} DOCUMENT_ENCRYPTED or DOCUMENT_CORRUPT if the PDF can't be opened
   */
  static open(bytes: Uint8Array, { exports }: PdfEngine): PdfFile {
    const pointer = exports.malloc(bytes.length);
    new Uint8Array(exports.memory.buffer).set(bytes, pointer);
    const document = exports.FPDF_LoadMemDocument(pointer, bytes.length, NO_PASSWORD);
    if (document !== 0) return new PdfFile(exports, pointer, document);
    exports.free(pointer);
    throw openError(exports.FPDF_GetLastError());
  }

  /**
   * Calls a PDFium function and returns its result.
   *
   * @throws {Error} if there is no function called `name`
   */
  call(name: string, ...args: number[]): number {
    const call = this.#calls[name];
    if (call === undefined) throw new Error(`PDFium has no function "${name}"`);
    return call(...args);
  }

  /**
   * Address of a 4,096-byte buffer for results. Its content is only valid until the next call that
   * uses the buffer.
   */
  get scratch(): number {
    return this.#scratch;
  }

  /** The instance's current memory. Moves when it grows. */
  get view(): DataView {
    if (this.#view.buffer !== this.#exports.memory.buffer) {
      this.#view = new DataView(this.#exports.memory.buffer);
    }
    return this.#view;
  }

  /** Handle of the file's form, or 0 if it has none. */
  get form(): number {
    if (this.#form === undefined && this.call("FPDF_GetFormType", this.document) !== 0) {
      const info = this.call("PDFiumExt_OpenFormFillInfo");
      const handle = this.call("PDFiumExt_InitFormFillEnvironment", this.document, info);
      this.#form = { info, handle };
    }
    return this.#form?.handle ?? 0;
  }

  /** Returns the 32-bit float at `index` in the scratch buffer. */
  readFloat(index: number): number {
    return this.view.getFloat32(this.#scratch + index * 4, true);
  }

  /** Returns the 64-bit float at `index` in the scratch buffer. */
  readDouble(index: number): number {
    return this.view.getFloat64(this.#scratch + index * 8, true);
  }

  /**
   * Returns ASCII text from the scratch buffer.
   *
   * @param length size in bytes, including the terminating zero
   */
  readAscii(length: number): string {
    const bytes = new Uint8Array(this.view.buffer, this.#scratch, Math.min(4096, length));
    return new TextDecoder().decode(bytes).replace(/\0.*$/s, "");
  }

  /**
   * Returns UTF-16 text from the scratch buffer.
   *
   * @param length size in bytes, including the terminating zero
   */
  readUtf16(length: number): string {
    const size = Math.min(4096, Math.max(0, length));
    const bytes = new Uint8Array(this.view.buffer, this.#scratch, size - size % 2);
    return new TextDecoder("utf-16le").decode(bytes).replace(/\0.*$/s, "");
  }

  /**
   * Returns UTF-16 text of any length, up to a limit.
   *
   * @param read writes the text and a terminating zero to a buffer, if it's large enough, and
   *   returns their size in bytes
   */
  readText(read: (buffer: number, size: number) => number): string {
    const size = read(0, 0);
    if (size <= 2 || size > MAX_TEXT_BYTES) return "";
    const buffer = this.#exports.malloc(size);
    read(buffer, size);
    const bytes = new Uint8Array(this.view.buffer, buffer, size - 2).slice();
    this.#exports.free(buffer);
    return new TextDecoder("utf-16le").decode(bytes);
  }

  /**
   * Renders a page in grey at `dpi`, or at a lower resolution if the image would exceed
   * `maxPixels`.
   */
  render(page: number, dpi: number, maxPixels: number): GreyImage {
    const width = this.call("FPDF_GetPageWidthF", page);
    const height = this.call("FPDF_GetPageHeightF", page);
    const scale = Math.min(dpi / 72, Math.sqrt(maxPixels / Math.max(1, width * height)));
    const [w, h] = [
      Math.max(1, Math.round(width * scale)),
      Math.max(1, Math.round(height * scale)),
    ];
    // Format 4 has 32 bits per pixel. With grey bitmaps, some image filters lose their colours.
    const bitmap = this.call("FPDFBitmap_CreateEx", w, h, 4, 0, 0);
    if (bitmap === 0) {
      throw new ExtractionError("EXTRACTION_FAILED", "A page is too large to render");
    }
    this.call("FPDFBitmap_FillRect", bitmap, 0, 0, w, h, 0xffffffff);
    this.call("FPDF_RenderPageBitmap", bitmap, page, 0, 0, w, h, 0, 0x01 | 0x02);
    const buffer = this.call("FPDFBitmap_GetBuffer", bitmap);
    const stride = this.call("FPDFBitmap_GetStride", bitmap);
    const source = new Uint8Array(this.view.buffer, buffer, stride * h);
    const pixels = new Uint8Array(w * h);
    for (let y = 0; y < h; y++) {
      for (let x = 0, at = y * stride; x < w; x++, at += 4) {
        pixels[y * w + x] = greyOf(source[at + 2]!, source[at + 1]!, source[at]!);
      }
    }
    this.call("FPDFBitmap_Destroy", bitmap);
    return { width: w, height: h, pixels };
  }

  /** Closes the PDF and frees its memory in the engine. */
  close(): void {
    if (this.#form !== undefined) {
      this.call("PDFiumExt_ExitFormFillEnvironment", this.#form.handle);
      this.call("PDFiumExt_CloseFormFillInfo", this.#form.info);
    }
    this.call("FPDF_CloseDocument", this.document);
    this.#exports.free(this.#scratch);
    this.#exports.free(this.#bytes);
  }
}

function openError(code: number): ExtractionError {
  if (code === ERROR_PASSWORD) {
    return new ExtractionError(
      "DOCUMENT_ENCRYPTED",
      "The PDF is password-protected; remove the password and upload it again",
    );
  }
  if (code === ERROR_SECURITY) {
    return new ExtractionError(
      "DOCUMENT_ENCRYPTED",
      "The PDF uses an unsupported encryption method; remove the encryption and upload it again",
    );
  }
  return corrupt("The PDF is damaged and can't be opened");
}
