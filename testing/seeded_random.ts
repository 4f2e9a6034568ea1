/** Reproducible random numbers: a given seed always produces the same sequence. */

/** A source of uniform numbers in [0, 1), with helpers for making choices. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /**
   * Returns the next number. Under the hood, this is Mulberry32 (Tommy Ettinger, public domain):
   * small, fast, and good enough for making choices.
   */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer from 0 to `below` - 1. */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  /** Returns one of the values, or undefined if there are none. */
  pick<T>(values: readonly T[]): T | undefined {
    return values[this.below(values.length)];
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }
}
