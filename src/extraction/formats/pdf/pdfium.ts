/** PDFium in WebAssembly behind the few calls the extractor needs. */
import { init } from "@embedpdf/pdfium";
import { corrupt, ExtractionError } from "../../error.ts";

/**
 * The instance's own exports. The package's wrappers convert arguments by name on every call,
 * which costs four times the call itself at a million characters a file.
 */
interface PdfiumExports {
  readonly memory: WebAssembly.Memory;
  malloc(size: number): number;
  free(pointer: number): void;
  FPDF_LoadMemDocument(bytes: number, length: number, password: number): number;
  FPDF_GetLastError(): number;
}
type PdfiumFunctions = Readonly<Record<string, ((...args: number[]) => number) | undefined>>;

/** A null pointer. */
const NO_PASSWORD = 0;
const ERROR_PASSWORD = 4;
const ERROR_SECURITY = 5;

/** A rendered page: 8 bits of grey a pixel. */
export interface GreyImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** A started PDFium. Its memory grows to what the largest file needs, and never shrinks. */
export class PdfEngine {
  readonly exports: PdfiumExports;

  private constructor(exports: PdfiumExports) {
    this.exports = exports;
  }

  /** Starts PDFium from its code. */
  static async start(wasm: Uint8Array): Promise<PdfEngine> {
    const wrapped = await init({ wasmBinary: wasm.slice().buffer });
    wrapped.PDFiumExt_Init();
    return new PdfEngine(wrapped.pdfium.wasmExports as unknown as PdfiumExports);
  }
}

/** An open PDF. Close it, or the memory stays with the engine. */
export class PdfFile {
  readonly #calls: PdfiumFunctions;
  readonly document: number;
  readonly pageCount: number;
  readonly #exports: PdfiumExports;
  /** PDFium reads the file from here as long as it is open. */
  readonly #bytes: number;
  readonly #scratch: number;
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

  /** Opens `bytes`. Throws DOCUMENT_ENCRYPTED or DOCUMENT_CORRUPT. */
  static open(bytes: Uint8Array, { exports }: PdfEngine): PdfFile {
    const pointer = exports.malloc(bytes.length);
    new Uint8Array(exports.memory.buffer).set(bytes, pointer);
    const document = exports.FPDF_LoadMemDocument(pointer, bytes.length, NO_PASSWORD);
    if (document !== 0) return new PdfFile(exports, pointer, document);
    exports.free(pointer);
    throw openError(exports.FPDF_GetLastError());
  }

  /** Calls a PDFium function. */
  call(name: string, ...args: number[]): number {
    const call = this.#calls[name];
    if (call === undefined) throw new Error(`PDFium has no function ${name}`);
    return call(...args);
  }

  /** An address with room for 4,096 bytes of results; valid until the next call that uses it. */
  get scratch(): number {
    return this.#scratch;
  }

  /** The instance's memory as it is now: it moves when it grows. */
  get view(): DataView {
    if (this.#view.buffer !== this.#exports.memory.buffer) {
      this.#view = new DataView(this.#exports.memory.buffer);
    }
    return this.#view;
  }

  readFloat(index: number): number {
    return this.view.getFloat32(this.#scratch + index * 4, true);
  }

  readDouble(index: number): number {
    return this.view.getFloat64(this.#scratch + index * 8, true);
  }

  /** ASCII text of `length` bytes (its closing zero counted) at the scratch address. */
  readAscii(length: number): string {
    const bytes = new Uint8Array(this.view.buffer, this.#scratch, Math.min(4096, length));
    return new TextDecoder().decode(bytes).replace(/\0.*$/s, "");
  }

  /** Renders a page in grey at `dpi`, or less when that would exceed `maxPixels`. */
  render(page: number, dpi: number, maxPixels: number): GreyImage {
    const width = this.call("FPDF_GetPageWidthF", page);
    const height = this.call("FPDF_GetPageHeightF", page);
    const scale = Math.min(dpi / 72, Math.sqrt(maxPixels / Math.max(1, width * height)));
    const [w, h] = [
      Math.max(1, Math.round(width * scale)),
      Math.max(1, Math.round(height * scale)),
    ];
    // Format 4 is 32 bits a pixel; grey bitmaps lose colours of some image filters.
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
        pixels[y * w + x] =
          ((source[at] ?? 0) * 29 + (source[at + 1] ?? 0) * 150 + (source[at + 2] ?? 0) * 77) >> 8;
      }
    }
    this.call("FPDFBitmap_Destroy", bitmap);
    return { width: w, height: h, pixels };
  }

  close(): void {
    this.call("FPDF_CloseDocument", this.document);
    this.#exports.free(this.#scratch);
    this.#exports.free(this.#bytes);
  }
}

function openError(code: number): ExtractionError {
  if (code === ERROR_PASSWORD) {
    return new ExtractionError("DOCUMENT_ENCRYPTED", "The PDF needs a password");
  }
  if (code === ERROR_SECURITY) {
    return new ExtractionError("DOCUMENT_ENCRYPTED", "The PDF is encrypted in an unknown way");
  }
  return corrupt("The PDF is damaged and cannot be opened");
}
