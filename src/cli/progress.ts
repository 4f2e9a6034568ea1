/** A progress line on standard error. */

/** Rewrites one line on a terminal. Prints nothing if standard error is not a terminal. */
export class Progress {
  readonly #isTerminal = Deno.stderr.isTerminal();
  #width = 0;

  /** Shows a text instead of the previous one. */
  update(text: string): void {
    if (!this.#isTerminal) return;
    this.#write(`\r${text.padEnd(this.#width)}`);
    this.#width = text.length;
  }

  /** Removes the line. */
  end(): void {
    if (this.#isTerminal && this.#width > 0) this.#write(`\r${" ".repeat(this.#width)}\r`);
    this.#width = 0;
  }

  #write(text: string): void {
    Deno.stderr.writeSync(new TextEncoder().encode(text));
  }
}
