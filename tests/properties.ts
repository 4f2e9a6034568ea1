/**
 * fast-check with one seed for the gate: what fails there is the change's doing, not the day's.
 * `COMMONPLACE_TEST_SEED` looks elsewhere.
 */

import fc from "fast-check";

fc.configureGlobal({ seed: Number(Deno.env.get("COMMONPLACE_TEST_SEED") ?? 20_261_121) });

export { fc };
