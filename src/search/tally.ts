/** Adding up what records gain by the lists of the text index that they stand in. */

/** A sum for each number of a record, with open addressing: a `Map` takes three times as long. */
export class Tally {
  #numbers = new Float64Array(1_024);
  #sums = new Float64Array(1_024);
  #size = 0;

  /** How many records have a sum. */
  get size(): number {
    return this.#size;
  }

  /** Adds to the sum of each number in a list with commas; numbers begin at 1. */
  add(list: string, gain: number): void {
    if (list === "") return;
    let number = 0;
    for (let at = 0; at <= list.length; at++) {
      const digit = list.charCodeAt(at) - ZERO;
      if (digit >= 0) number = number * 10 + digit;
      else {
        this.#add(number, gain);
        number = 0;
      }
    }
  }

  /** The numbers with the greatest sums, best first; of equal ones, the latest. */
  best(limit: number): number[] {
    // The root of the heap is the worst of those that are kept.
    const heap: number[] = [];
    const worse = (a: number, b: number) =>
      this.#sums[a]! < this.#sums[b]! ||
      this.#sums[a] === this.#sums[b] && this.#numbers[a]! < this.#numbers[b]!;
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
    for (let slot = 0; slot < this.#numbers.length; slot++) {
      if (this.#numbers[slot] === 0) continue;
      if (heap.length < limit) {
        heap.push(slot);
        if (heap.length === limit) { for (let at = limit >> 1; at >= 0; at--) sink(at); }
      } else if (worse(heap[0]!, slot)) {
        heap[0] = slot;
        sink(0);
      }
    }
    return heap.sort((a, b) => worse(a, b) ? 1 : -1).map((slot) => this.#numbers[slot]!);
  }

  #add(number: number, gain: number): void {
    const slot = this.#slotOf(number);
    if (this.#numbers[slot] === 0) {
      this.#numbers[slot] = number;
      this.#size++;
    }
    this.#sums[slot]! += gain;
    if (this.#size * 2 > this.#numbers.length) this.#grow();
  }

  #slotOf(number: number): number {
    const mask = this.#numbers.length - 1;
    // Fibonacci hashing (Knuth, 6.4): neighbouring numbers go far apart.
    let slot = Math.imul(number, 0x9e3779b1) >>> 8 & mask;
    while (this.#numbers[slot] !== 0 && this.#numbers[slot] !== number) slot = slot + 1 & mask;
    return slot;
  }

  #grow(): void {
    const [numbers, sums] = [this.#numbers, this.#sums];
    this.#numbers = new Float64Array(numbers.length * 4);
    this.#sums = new Float64Array(numbers.length * 4);
    for (const [at, number] of numbers.entries()) {
      if (number === 0) continue;
      const slot = this.#slotOf(number);
      this.#numbers[slot] = number;
      this.#sums[slot] = sums[at]!;
    }
  }
}

const ZERO = "0".charCodeAt(0);
