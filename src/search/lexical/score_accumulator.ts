/** Adding up what records gain by the lists of the text index that they stand in. */

/**
 * A sum for each number of a record, in the order of their coming, found by open addressing: a `Map`
 * takes three times as long.
 */
export class ScoreAccumulator {
  #seqs: Float64Array;
  #scores: Float64Array;
  #size = 0;
  /** One more than the place of a number, 0 for nothing; twice as many at least. */
  #slots: Int32Array;

  /** @param expected how many records there will be, if it is known: it saves growing */
  constructor(expected = 0) {
    const room = 2 ** Math.ceil(Math.log2(Math.max(expected, 1_024)));
    this.#seqs = new Float64Array(room);
    this.#scores = new Float64Array(room);
    this.#slots = new Int32Array(2 * room);
  }

  /** How many records have a sum. */
  get size(): number {
    return this.#size;
  }

  /** Adds to the sum of each number in a list with commas; numbers begin at 1. */
  add(list: string, score: number): void {
    if (list === "") return;
    let number = 0;
    for (let at = 0; at <= list.length; at++) {
      const digit = list.charCodeAt(at) - DIGIT_ZERO_CODE;
      if (digit >= 0) number = number * 10 + digit;
      else {
        this.#add(number, score);
        number = 0;
      }
    }
  }

  /** The numbers with the greatest sums, best first; of equal ones, the latest. */
  top(limit: number): number[] {
    // The root of the heap is the worst of those that are kept.
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
    // From the last: of equal ones the latest is kept, so that those that follow change nothing.
    for (let place = this.#size; place-- > 0;) {
      if (heap.length < limit) {
        heap.push(place);
        if (heap.length === limit) { for (let at = limit >> 1; at >= 0; at--) sink(at); }
      } else if (worse(heap[0]!, place)) {
        heap[0] = place;
        sink(0);
      }
    }
    return heap.sort((a, b) => worse(a, b) ? 1 : -1).map((place) => this.#seqs[place]!);
  }

  #add(seq: number, score: number): void {
    const slot = this.#slotOf(seq);
    const place = this.#slots[slot]! - 1;
    if (place >= 0) {
      this.#scores[place]! += score;
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

  /** The slot of a number, or the free one where it would be. */
  #slotOf(seq: number): number {
    const mask = this.#slots.length - 1;
    // Fibonacci hashing (Knuth, 6.4): neighbouring numbers go far apart.
    let slot = Math.imul(seq, 0x9e3779b1) >>> 8 & mask;
    for (let known = this.#slots[slot]!; known !== 0; known = this.#slots[slot]!) {
      if (this.#seqs[known - 1] === seq) break;
      slot = slot + 1 & mask;
    }
    return slot;
  }

  #grow(): void {
    const [numbers, sums] = [this.#seqs, this.#scores];
    this.#seqs = new Float64Array(numbers.length * 4);
    this.#scores = new Float64Array(numbers.length * 4);
    this.#seqs.set(numbers);
    this.#scores.set(sums);
    this.#slots = new Int32Array(this.#slots.length * 4);
    for (let place = 0; place < this.#size; place++) {
      this.#slots[this.#slotOf(numbers[place]!)] = place + 1;
    }
  }
}

const DIGIT_ZERO_CODE = "0".charCodeAt(0);
