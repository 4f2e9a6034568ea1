/** What only the first start of a data directory does: the default project and the way in. */

import { createHash, randomBytes } from "node:crypto";
import sql from "sql-template-tag";
import { timestamp } from "../kernel/clock.ts";
import type { House } from "./house.ts";

/** How long a sign-in link works (decisions §16). */
const SIGN_IN_MINUTES = 30;

/** What the first start has to tell; a key that was brought along is not told back. */
export interface FirstStart {
  readonly apiKey: string | null;
  readonly signInToken: string;
}

/** Makes the default project with one key of every permission. Null on any later start. */
export async function firstStart(
  house: House,
  apiKey: string | undefined,
): Promise<FirstStart | null> {
  return await house.foundation.store.write(async (tx) => {
    if (!await house.projects.isEmpty(tx)) return null;
    const project = await house.projects.create(tx, "default");
    const wanted = apiKey === undefined ? { name: "first" } : { name: "first", key: apiKey };
    const created = await house.keys.create(tx, project, wanted);
    return {
      apiKey: apiKey === undefined ? created.key : null,
      signInToken: await createSignInToken(tx, house.foundation.clock.now()),
    };
  });
}

/** A token that opens the dashboard once; only its hash is kept. */
export async function createSignInToken(
  tx: Parameters<Parameters<House["foundation"]["store"]["write"]>[0]>[0],
  now: number,
): Promise<string> {
  const token = randomBytes(24).toString("base64url");
  const hash = createHash("sha256").update(token).digest("hex");
  await tx.run(sql`insert into sign_in_tokens (hash, expires_at)
    values (${hash}, ${timestamp(now + SIGN_IN_MINUTES * 60_000)})`);
  return token;
}
