/** Tracks in-flight requests so that a shutdown can wait for them. */

/** Counts requests from arrival to response. */
export class InFlightRequests {
  #count = 0;
  #idle: (() => void)[] = [];

  async track<T>(response: T | Promise<T>): Promise<T> {
    this.#count++;
    try {
      return await response;
    } finally {
      this.#count--;
      if (this.#count === 0) this.#idle.splice(0).forEach((resolve) => resolve());
    }
  }

  /** Resolves when no requests are in flight. */
  idle(): Promise<void> {
    return this.#count === 0
      ? Promise.resolve()
      : new Promise((resolve) => this.#idle.push(resolve));
  }
}
