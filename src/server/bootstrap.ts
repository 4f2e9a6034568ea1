/** First start on a data directory. Creates the default project and its credentials. */

import { createSignInToken } from "../dashboard/sessions.ts";
import type { Log } from "../kernel/log.ts";
import { programName } from "../kernel/process/program_name.ts";
import type { Membership } from "../store/membership.ts";
import type { ServerConfig } from "./config.ts";
import type { Services } from "./services.ts";

/** Credentials printed on the first start. The key is null if it comes from the configuration. */
export interface BootstrapResult {
  readonly apiKey: string | null;
  readonly signInToken: string;
}

/**
 * Creates the default project and a key with all permissions. Returns null if there's already a
 * project.
 */
export async function bootstrap(
  services: Services,
  apiKey: string | undefined,
): Promise<BootstrapResult | null> {
  return await services.appContext.store.write("projects", async (tx) => {
    if (!await services.projects.isEmpty(tx)) return null;
    const project = await services.projects.create(tx, "default");
    const options = apiKey === undefined ? { name: "first" } : { name: "first", key: apiKey };
    const created = await services.keys.create(tx, project, options);
    return {
      apiKey: apiKey === undefined ? created.key : null,
      signInToken: await createSignInToken(tx, services.appContext.clock.now()),
    };
  });
}

/**
 * Logs a warning if no key can work. Keys are created or imported only on the first start, so that
 * revoked keys don't come back to life. Without the warning, requests would fail for no apparent
 * reason.
 */
export async function warnIfNoUsableKey(
  services: Services,
  apiKey: string | undefined,
  log: Log,
): Promise<void> {
  const [isUnknown, hasNone] = await services.appContext.store.read(async (db) => [
    apiKey !== undefined && !await services.keys.isKnown(db, apiKey),
    !await services.keys.hasAny(db),
  ]);
  const how_to = `run: ${programName()} keys create --project NAME`;
  if (isUnknown) {
    log.warn("COMMONPLACE_API_KEY matches no project; it is only applied on first start", {
      how_to,
    });
  } else if (hasNone) {
    log.warn("no project has an API key", { how_to });
  }
}

/** Returns the flags that a model behind an endpoint needs, and that aren't set. */
export function unsetModelFlags(
  { inference, embedder }: Partial<Pick<ServerConfig, "inference" | "embedder">>,
): string[] {
  const settings = {
    ...inference?.engine === "openai"
      ? { "--inference-url": inference.url, "--inference-model": inference.model }
      : {},
    ...embedder?.name === "openai"
      ? { "--embedder-url": embedder.url, "--embedder-model": embedder.model }
      : {},
  };
  return Object.entries(settings).flatMap(([name, value]) => value === "" ? [name] : []);
}

/** Logs a warning if an endpoint is configured for a model, but its URL or the model isn't. */
export function warnIfModelIsUnset(
  config: Pick<ServerConfig, "inference" | "embedder">,
  log: Log,
): void {
  const unset = unsetModelFlags(config);
  if (unset.length === 0) return;
  log.warn("a model isn't configured", { how_to: `set ${unset.join(" and ")}` });
}

/**
 * Logs a warning if other servers use the same database, but not the data directory with the files.
 */
export async function warnIfFilesAreApart(
  membership: Pick<Membership, "members"> | null,
  log: Log,
): Promise<void> {
  // The start doesn't fail because of a warning.
  const members = await membership?.members().catch(() => []) ?? [];
  if (members.filter(({ kind }) => kind === "server").length < 2) return;
  log.warn("other servers use this database, but files are in this one's data directory", {
    how_to: "set COMMONPLACE_BLOB_URL for all of them",
  });
}
