/**
 * The seed for all randomized tests. It's fixed, so a failure comes from the change under test
 * rather than from chance. Set `COMMONPLACE_TEST_SEED` to try other values.
 */
export const SEED = Number(Deno.env.get("COMMONPLACE_TEST_SEED") ?? 20_261_121);
