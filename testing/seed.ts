/**
 * One seed for the gate: what fails there is the change's doing, not the day's.
 * `COMMONPLACE_TEST_SEED` looks elsewhere.
 */
export const SEED = Number(Deno.env.get("COMMONPLACE_TEST_SEED") ?? 20_261_121);
