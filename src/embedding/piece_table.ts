/**
 * Finds the pieces of a vocabulary in a word. A hash table in typed arrays takes a third of the
 * memory of a `Map` with a string per piece, and needs no substring to look up a part of a word.
 */

/** FNV-1a, 32 bits. */
const HASH_SEED = 0x811c9dc5 | 0, HASH_PRIME = 0x01000193;

/** Slots per piece. Two keep the probe sequences short. */
const SLOTS_PER_PIECE = 2;

/** Ids of pieces by their text. */
export class PieceTable {
  /** The hash of no characters. */
  static readonly seed = HASH_SEED;

  /** Length of the longest piece, in UTF-16 units. */
  readonly maxLength: number;
  readonly #units: Uint16Array;
  /** Where each piece begins in `#units`, and where the last one ends. */
  readonly #offsets: Uint32Array;
  /** Ids plus one; 0 for an empty slot. */
  readonly #slots: Uint32Array;

  /** Reads the first `count` lines of a text. A piece's id is its line; of two equal ones, the last. */
  constructor(lines: string, count: number) {
    this.#units = new Uint16Array(lines.length);
    this.#offsets = new Uint32Array(count + 1);
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(count * SLOTS_PER_PIECE)));
    let longest = 0, used = 0, at = 0;
    for (let id = 0; id < count; id++) {
      const lineEnd = lines.indexOf("\n", at);
      const end = lineEnd < 0 ? lines.length : lineEnd;
      let hash = HASH_SEED;
      for (let i = at; i < end; i++) {
        const unit = lines.charCodeAt(i);
        this.#units[used++] = unit;
        hash = PieceTable.extend(hash, unit);
      }
      this.#offsets[id + 1] = used;
      this.#slots[this.#slotOf(lines, at, end, hash)] = id + 1;
      longest = Math.max(longest, end - at);
      at = end + 1;
    }
    this.#units = this.#units.slice(0, used);
    this.maxLength = longest;
  }

  /** Returns the hash of a text and one more UTF-16 unit. */
  static extend(hash: number, unit: number): number {
    return Math.imul(hash ^ unit, HASH_PRIME);
  }

  /** Returns the id of a piece, or -1 if there is no such piece. */
  idOf(piece: string): number {
    let hash = HASH_SEED;
    for (let i = 0; i < piece.length; i++) hash = PieceTable.extend(hash, piece.charCodeAt(i));
    return this.find(piece, 0, piece.length, hash);
  }

  /** Returns the id of a part of a word, given its hash. Returns -1 if it isn't a piece. */
  find(word: string, start: number, end: number, hash: number): number {
    return this.#slots[this.#slotOf(word, start, end, hash)]! - 1;
  }

  /** Returns the slot of a text: the one that has it, or the empty one where it belongs. */
  #slotOf(text: string, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = (hash ^ hash >>> 15) & mask;
    for (let entry; (entry = this.#slots[slot]!) !== 0; slot = (slot + 1) & mask) {
      if (this.#isPiece(entry - 1, text, start, end)) break;
    }
    return slot;
  }

  #isPiece(id: number, text: string, start: number, end: number): boolean {
    const offset = this.#offsets[id]!;
    if (this.#offsets[id + 1]! - offset !== end - start) return false;
    for (let i = start; i < end; i++) {
      if (this.#units[offset + i - start] !== text.charCodeAt(i)) return false;
    }
    return true;
  }
}
