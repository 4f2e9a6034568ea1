/**
 * The seed for all randomized tests. It is fixed, so that a failure is caused by the change under
 * test and not by chance. Set `COMMONPLACE_TEST_SEED` to try other values.
 */
export const SEED = Number(Deno.env.get("COMMONPLACE_TEST_SEED") ?? 20_261_121);
