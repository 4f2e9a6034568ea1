/** What only the first start of a data directory does: the default project and the way in. */

import { createSignInToken } from "../dashboard/sessions.ts";
import type { Log } from "../kernel/log.ts";
import type { House } from "./house.ts";

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

/**
 * Says in the log what a later start doesn't do: it makes no key, so that none comes back that was
 * revoked. Without a word, the one that was brought along would just be refused.
 */
export async function warnOfKeys(
  house: House,
  apiKey: string | undefined,
  log: Log,
): Promise<void> {
  const [unknown, none] = await house.foundation.store.read(async (db) => [
    apiKey !== undefined && !await house.keys.isKnown(db, apiKey),
    !await house.keys.areAny(db),
  ]);
  const howTo = "commonplace keys create --project NAME makes one";
  if (unknown) {
    log.warn("COMMONPLACE_API_KEY opens no project: only a first start takes it over", { howTo });
  } else if (none) {
    log.warn("no project has an API key", { howTo });
  }
}
