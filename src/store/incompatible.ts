/** The error for storage that this program can't use. */

/** A data directory or database that can't be opened. The message is a single line for the terminal. */
export class IncompatibleStoreError extends Error {
  override readonly name = "IncompatibleStoreError";
}
