/** Error for guarantees that the service has broken. */

/** Thrown if a guarantee is broken. The message names the guarantee and where it was broken. */
export class Violation extends Error {
  override readonly name = "Violation";
}
