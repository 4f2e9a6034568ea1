/** What only the first start of a data directory does: the default project and the way in. */

import { createSignInToken } from "../dashboard/sessions.ts";
import type { Log } from "../kernel/log.ts";
import type { Services } from "./services.ts";

/** What the first start prints. The key is null when it came from the configuration. */
export interface BootstrapResult {
  readonly apiKey: string | null;
  readonly signInToken: string;
}

/** Makes the default project with one key of every permission. Null on any later start. */
export async function bootstrap(
  services: Services,
  apiKey: string | undefined,
): Promise<BootstrapResult | null> {
  return await services.appContext.store.write(async (tx) => {
    if (!await services.projects.isEmpty(tx)) return null;
    const project = await services.projects.create(tx, "default");
    const wanted = apiKey === undefined ? { name: "first" } : { name: "first", key: apiKey };
    const created = await services.keys.create(tx, project, wanted);
    return {
      apiKey: apiKey === undefined ? created.key : null,
      signInToken: await createSignInToken(tx, services.appContext.clock.now()),
    };
  });
}

/**
 * Warns in the log when no key can be of use. Only the first start makes one or takes over the one
 * of the configuration, so that a revoked key doesn't come back; without a warning, requests would
 * just fail.
 */
export async function warnIfNoUsableKey(
  services: Services,
  apiKey: string | undefined,
  log: Log,
): Promise<void> {
  const [unknown, none] = await services.appContext.store.read(async (db) => [
    apiKey !== undefined && !await services.keys.isKnown(db, apiKey),
    !await services.keys.hasAny(db),
  ]);
  const how_to = "commonplace keys create --project NAME makes one";
  if (unknown) {
    log.warn("COMMONPLACE_API_KEY opens no project: only a first start takes it over", { how_to });
  } else if (none) {
    log.warn("no project has an API key", { how_to });
  }
}
