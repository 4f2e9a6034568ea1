/** Sums record scores across several posting lists. */

/** Initial number of records that there is room for. */
const MIN_CAPACITY = 1_024;

/** Maximum number of records to keep room for, at 20 bytes each. */
const MAX_KEPT_CAPACITY = 65_536;

/**
 * One sum per record, in insertion order. Records are looked up by open addressing, since a `Map`
 * takes three times as long.
 */
export class ScoreAccumulator {
  #seqs = new Uint32Array(MIN_CAPACITY);
  #scores = new Float64Array(MIN_CAPACITY);
  #size = 0;
  /**
   * The record's index plus one, or 0 for a free slot. There are at least twice as many slots as
   * records.
   */
  #slots = new Int32Array(2 * MIN_CAPACITY);

  /**
   * Removes all sums. The tables are kept unless they're large, since allocating them for each
   * search takes longer than filling them.
   *
   * @param expected expected number of records, if known, to avoid growing the tables
   */
  clear(expected = 0): void {
    const capacity = 2 ** Math.ceil(Math.log2(Math.max(expected, MIN_CAPACITY)));
    const isReusable = this.#seqs.length >= capacity && this.#seqs.length <= MAX_KEPT_CAPACITY;
    if (!isReusable) this.#allocate(capacity);
    else if (this.#size > 0) this.#slots.fill(0);
    this.#size = 0;
  }

  /** Number of records that there is room for. */
  get capacity(): number {
    return this.#seqs.length;
  }

  /** Number of records with a sum. */
  get size(): number {
    return this.#size;
  }

  /** Adds a score to every record in a list of `seq`s, which start at 1. */
  add(seqs: Uint32Array, score: number): void {
    for (let index = 0; index < seqs.length; index++) this.#add(seqs[index]!, score);
  }

  /** Returns the `seq`s with the highest sums, best first. Ties go to the latest `seq`. */
  top(limit: number): number[] {
    // A min-heap whose root is the worst record kept.
    const heap: number[] = [];
    const worse = (a: number, b: number) =>
      this.#scores[a]! < this.#scores[b]! ||
      this.#scores[a] === this.#scores[b] && this.#seqs[a]! < this.#seqs[b]!;
    const sink = (from: number) => {
      for (let at = from;;) {
        let worst = at;
        for (const child of [2 * at + 1, 2 * at + 2]) {
          if (child < heap.length && worse(heap[child]!, heap[worst]!)) worst = child;
        }
        if (worst === at) return;
        [heap[at], heap[worst]] = [heap[worst]!, heap[at]!];
        at = worst;
      }
    };
    // Start with the latest records. They win ties, so earlier records with the same sum are
    // no-ops.
    for (let index = this.#size; index-- > 0;) {
      if (heap.length < limit) {
        heap.push(index);
        if (heap.length === limit) { for (let at = limit >> 1; at >= 0; at--) sink(at); }
      } else if (worse(heap[0]!, index)) {
        heap[0] = index;
        sink(0);
      }
    }
    return heap.sort((a, b) => worse(a, b) ? 1 : -1).map((index) => this.#seqs[index]!);
  }

  #add(seq: number, score: number): void {
    const slot = this.#slotOf(seq);
    const index = this.#slots[slot]! - 1;
    if (index >= 0) {
      this.#scores[index]! += score;
      return;
    }
    if (this.#size === this.#seqs.length) {
      this.#grow();
      return this.#add(seq, score);
    }
    this.#seqs[this.#size] = seq;
    this.#scores[this.#size] = score;
    this.#slots[slot] = ++this.#size;
  }

  /** Returns the slot of a record, or the free slot where it belongs. */
  #slotOf(seq: number): number {
    const mask = this.#slots.length - 1;
    // Fibonacci hashing (Knuth, 6.4) spreads out neighbouring numbers.
    let slot = Math.imul(seq, 0x9e3779b1) >>> 8 & mask;
    for (let entry = this.#slots[slot]!; entry !== 0; entry = this.#slots[slot]!) {
      if (this.#seqs[entry - 1] === seq) break;
      slot = slot + 1 & mask;
    }
    return slot;
  }

  #grow(): void {
    const [seqs, scores] = [this.#seqs, this.#scores];
    this.#allocate(seqs.length * 4);
    this.#seqs.set(seqs);
    this.#scores.set(scores);
    for (let index = 0; index < this.#size; index++) {
      this.#slots[this.#slotOf(seqs[index]!)] = index + 1;
    }
  }

  #allocate(capacity: number): void {
    this.#seqs = new Uint32Array(capacity);
    this.#scores = new Float64Array(capacity);
    this.#slots = new Int32Array(2 * capacity);
  }
}
