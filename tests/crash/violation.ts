/** What the service must never do. */

/** A promise that was broken. The message says which, and on what. */
export class Violation extends Error {
  override readonly name = "Violation";
}
