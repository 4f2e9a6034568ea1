/** Interrupts work that may end before a test sees that it has begun. */

/** More than a busy machine needs. */
const MAX_ATTEMPTS = 10;

/**
 * Repeats an attempt until it returns true: the work was interrupted before it was done.
 *
 * @throws Error if no attempt returns true
 */
export async function untilInterrupted(
  attempt: () => Promise<boolean>,
): Promise<void> {
  for (let number = 1; number <= MAX_ATTEMPTS; number++) {
    if (await attempt()) return;
  }
  throw new Error(`The work was done before the interruption ${MAX_ATTEMPTS} times`);
}
