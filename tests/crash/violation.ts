/** Error for broken guarantees of the service. */

/** Thrown if a guarantee is broken. The message says which one, and where. */
export class Violation extends Error {
  override readonly name = "Violation";
}
