/** Runs the doctor on a data directory, and its database if it has one. */

import { runDoctor } from "../../src/server/doctor/doctor.ts";
import { runPostgresDoctor } from "../../src/server/doctor/postgres.ts";
import type { BlobAddress } from "../../src/store/blobs/address.ts";
import { testDatabase } from "../../testing/engine.ts";
import { Violation } from "./violation.ts";

/**
 * @param blobs where the files are, if they aren't in the directory
 * @throws Violation if the doctor finds anything
 */
export async function checkDirectory(directory: string, blobs?: BlobAddress): Promise<void> {
  const database = testDatabase(directory);
  const checks = database === undefined
    ? runDoctor(directory)
    : await runPostgresDoctor({ directory, database, blobs });
  const faults = checks.filter(({ ok }) => !ok);
  if (faults.length === 0) return;
  throw new Violation(`the doctor found in ${directory}: ${JSON.stringify(faults)}`);
}
