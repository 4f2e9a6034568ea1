/** Error for guarantees broken by the service. */

/** Thrown if a guarantee is broken. The message names it and says where it was broken. */
export class Violation extends Error {
  override readonly name = "Violation";
}
