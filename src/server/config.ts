/**
 * Resolves settings. Flags override environment variables, which override defaults. Secrets can
 * also be read from files.
 */

import { readFileSync } from "node:fs";
import type { EmbedderConfig } from "../embedding/open.ts";
import type { RuntimeName } from "../embedding/worker_messages.ts";
import type { InferenceConfig, TaggerConfig } from "../inference/service.ts";
import { HOUR_MS } from "../kernel/clock.ts";
import type { LogLevel } from "../kernel/log.ts";
import { type BlobAddress, blobAddress } from "../store/blobs/address.ts";
import type { PgAddress } from "../store/postgres/connection.ts";
import { type FlagValues, parseArguments } from "./arguments.ts";
import { ConfigError } from "./config_error.ts";
import { type Setting, SETTINGS, type Variant } from "./settings.ts";

export { ConfigError };

/** A setting's effective value. */
export interface EffectiveSetting {
  readonly name: string;
  readonly value: string;
  readonly source: "flag" | "environment" | "file" | "stored" | "default";
}

/** Looks up an environment variable. */
export type Environment = (name: string) => string | undefined;

/** Returns a setting's environment variable, e.g. COMMONPLACE_LOG_LEVEL. */
export function environmentName(setting: string): string {
  return `COMMONPLACE_${setting.toUpperCase().replaceAll("-", "_")}`;
}

/**
 * Resolves all settings.
 *
 * @throws ArgumentError for an unknown flag
 * @throws ConfigError if a value is invalid or a file can't be read
 */
export function resolveSettings(
  args: readonly string[],
  environment: Environment,
): EffectiveSetting[] {
  const flags = parseFlags(args);
  return SETTINGS.map((setting) => resolve(setting, flags, environment));
}

/**
 * Returns the database with the records, from the environment alone. Undefined for SQLite.
 *
 * @throws ConfigError if the URL is invalid, or its file can't be read
 */
export function databaseFromEnvironment(environment: Environment): PgAddress | undefined {
  const setting = SETTINGS.find(({ name }) => name === "database-url")!;
  return databaseAddress(resolve(setting, {}, environment).value);
}

/**
 * Returns where the files of a database are, from the environment alone. Undefined if they are in
 * the data directory.
 *
 * @param database whether the records are in PostgreSQL
 * @throws ConfigError if the settings are invalid, or a file can't be read
 */
export function blobsFromEnvironment(
  environment: Environment,
  database: boolean,
): BlobAddress | undefined {
  return filesAddress((name) => {
    const setting = SETTINGS.find((setting) => setting.name === name)!;
    return resolve(setting, {}, environment).value;
  }, database);
}

function filesAddress(
  value: (name: string) => string,
  database: boolean,
): BlobAddress | undefined {
  const url = value("blob-url");
  if (url === "") return undefined;
  if (!database) {
    throw new ConfigError(
      "COMMONPLACE_BLOB_URL requires COMMONPLACE_DATABASE_URL: with SQLite, files are in the " +
        "data directory",
    );
  }
  const credentials = {
    accessKeyId: value("s3-access-key-id"),
    secretAccessKey: value("s3-secret-access-key"),
  };
  if (url.startsWith("s3:") && Object.values(credentials).includes("")) {
    throw new ConfigError(
      "COMMONPLACE_BLOB_URL is in S3: set COMMONPLACE_S3_ACCESS_KEY_ID and " +
        "COMMONPLACE_S3_SECRET_ACCESS_KEY",
    );
  }
  return blobAddress(url, credentials);
}

function resolve(setting: Setting, flags: FlagValues, environment: Environment): EffectiveSetting {
  const resolved = fromFlag(setting, flags) ?? fromEnvironment(setting, environment) ??
    fromAlias(setting, environment) ??
    { name: setting.name, value: setting.default, source: "default" as const };
  const problem = setting.check?.(resolved.value) ?? null;
  if (problem !== null) throw new ConfigError(`${sourceName(resolved)} ${problem}`);
  return resolved;
}

/** Returns the name under which the user set a value, either a variable or a flag. */
function sourceName({ name, source }: EffectiveSetting): string {
  return source === "environment" ? environmentName(name) : `--${name}`;
}

function parseFlags(args: readonly string[]): FlagValues {
  const flags = SETTINGS.filter((setting) => !setting.environmentOnly)
    .map(({ name, kind }) => [name, kind === "switch" ? "switch" : "text"] as const);
  return parseArguments(args, new Map(flags)).values;
}

function fromFlag(setting: Setting, flags: FlagValues): EffectiveSetting | null {
  const value = flags[setting.name];
  if (value === undefined) return null;
  return { name: setting.name, value: value === true ? "on" : String(value), source: "flag" };
}

function fromEnvironment(setting: Setting, environment: Environment): EffectiveSetting | null {
  const name = environmentName(setting.name);
  const value = environment(name);
  if (value !== undefined && value !== "") {
    const text = setting.kind === "switch" ? readSwitch(name, value) : value;
    return { name: setting.name, value: text, source: "environment" };
  }
  if (setting.kind !== "secret") return null;
  const path = environment(`${name}_FILE`);
  if (path === undefined || path === "") return null;
  const text = readSecret(`${name}_FILE`, path);
  // Without a database URL, for example, the service would use another place for its records.
  if (text === "") throw new ConfigError(`The file of ${name}_FILE is empty`);
  return { name: setting.name, value: text, source: "file" };
}

function readSecret(variable: string, path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new ConfigError(`Can't read the file of ${variable}: ${(error as Error).message}`);
  }
}

function fromAlias({ name, alias }: Setting, environment: Environment): EffectiveSetting | null {
  const value = alias === undefined ? undefined : environment(alias);
  return value ? { name, value, source: "environment" } : null;
}

function readSwitch(name: string, value: string): string {
  if (/^(1|true|on|yes)$/i.test(value)) return "on";
  if (/^(0|false|off|no)$/i.test(value)) return "off";
  throw new ConfigError(`${name} must be on or off`);
}

/** Server configuration. */
export interface ServerConfig {
  readonly data: string;
  /** PostgreSQL database with the records. If undefined, they are in the data directory. */
  readonly database?: PgAddress | undefined;
  /** Where files are stored. If undefined, in the data directory. */
  readonly blobs?: BlobAddress | undefined;
  readonly host: string;
  readonly port: number;
  /** URL at which clients reach the service. If undefined, sign-in works on this machine only. */
  readonly publicUrl?: string | undefined;
  /** Proxies whose `X-Forwarded-For` is used. Defaults to none. */
  readonly trustedProxies?: string;
  /** Whether MCP clients can identify themselves by the URL of a document. Defaults to false. */
  readonly oauthClientDocuments?: boolean;
  readonly logLevel: LogLevel;
  readonly metrics: boolean;
  /** Maximum size of an import body, in bytes. Defaults to 128 MiB. */
  readonly importBytes?: number;
  /** Scheduled backups. Defaults to none. */
  readonly backup?: { readonly directory: string; readonly everyMs: number; readonly keep: number };
  readonly embedder: EmbedderConfig;
  /**
   * Returns the configuration with an embedder that was chosen with `commonplace embedder use`.
   * Undefined if a flag or a variable sets the embedder, which takes precedence.
   */
  readonly withEmbedder?: ((name: string) => ServerConfig) | undefined;
  readonly searchMemoryBytes: number;
  /** Disk space for search copies, in bytes. Defaults to 20 GiB. */
  readonly searchCopyBytes?: number;
  /** Inference engine. Defaults to the built-in one. */
  readonly inference?: InferenceConfig;
  /** Defaults to self-hosted. */
  readonly variant?: Variant;
  /** Whether webhooks can reach this machine and private networks. Defaults to false. */
  readonly webhooksAllowPrivate?: boolean;
  /** If undefined, the first start creates a key and prints it. */
  readonly apiKey: string | undefined;
  /** If undefined, signing in to the dashboard requires a one-time link. */
  readonly dashboardPassword?: string | undefined;
}

/** The tagger is by default the one that shares its word table with the embedder. */
function taggerConfig(tagger: string, embedder: string, runtime: string): TaggerConfig {
  const name = tagger === "auto" ? (embedder === "e5" ? "e5" : "minilm") : tagger;
  return {
    name: name === "none" ? null : name as "minilm" | "e5",
    builds: runtime === "wasm" ? ["wasm"] : ["native", "wasm"],
  };
}

/** Schema of the tables if the URL of the database doesn't name one. */
const DEFAULT_SCHEMA = "public";

/** Returns the address in a URL, whose `schema` is not meant for the server. Undefined if empty. */
export function databaseAddress(text: string): PgAddress | undefined {
  if (text === "") return undefined;
  // Not `URL`, since there can be several hosts.
  const [server, query = ""] = text.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  const schema = parameters.get("schema") ?? DEFAULT_SCHEMA;
  parameters.delete("schema");
  return { url: parameters.size === 0 ? server! : `${server}?${parameters}`, schema };
}

/** Returns the settings with an embedder that is stored in the data directory. */
export function withStoredEmbedder(
  settings: readonly EffectiveSetting[],
  value: string,
): EffectiveSetting[] {
  return settings.map((setting) =>
    setting.name === "embedder" ? { ...setting, value, source: "stored" } : setting
  );
}

/** Checks whether the embedder can be chosen with `commonplace embedder use`. */
export function acceptsStoredEmbedder(settings: readonly EffectiveSetting[]): boolean {
  const { source } = settings.find(({ name }) => name === "embedder")!;
  return source === "default" || source === "stored";
}

/** Turns resolved settings into a server configuration. */
export function serverConfig(settings: readonly EffectiveSetting[]): ServerConfig {
  const value = (name: string) => settings.find((setting) => setting.name === name)!.value;
  return {
    data: value("data"),
    database: databaseAddress(value("database-url")),
    blobs: filesAddress(value, value("database-url") !== ""),
    host: value("host"),
    port: Number(value("port")),
    publicUrl: value("public-url") || undefined,
    trustedProxies: value("trusted-proxies"),
    oauthClientDocuments: value("oauth-client-documents") === "on",
    logLevel: value("log-level") as LogLevel,
    metrics: value("metrics") === "on",
    importBytes: Number(value("max-import-bytes")),
    ...(value("backup-dir") === "" ? {} : {
      backup: {
        directory: value("backup-dir"),
        everyMs: Number(value("backup-every-hours")) * HOUR_MS,
        keep: Number(value("backup-keep")),
      },
    }),
    embedder: {
      name: value("embedder"),
      runtime: value("embedder-runtime") as RuntimeName | "auto",
      url: value("embedder-url"),
      model: value("embedder-model"),
      key: value("embedder-api-key") || undefined,
    },
    withEmbedder: acceptsStoredEmbedder(settings)
      ? (name) => serverConfig(withStoredEmbedder(settings, name))
      : undefined,
    searchMemoryBytes: Number(value("search-memory-mb")) * 2 ** 20,
    searchCopyBytes: Number(value("search-copy-mb")) * 2 ** 20,
    inference: {
      engine: value("inference") as InferenceConfig["engine"],
      url: value("inference-url"),
      model: value("inference-model"),
      apiKey: value("inference-api-key"),
      tagger: taggerConfig(value("inference-tagger"), value("embedder"), value("embedder-runtime")),
    },
    variant: value("variant") as Variant,
    webhooksAllowPrivate: value("webhooks-allow-private") === "on",
    apiKey: value("api-key") || undefined,
    dashboardPassword: value("dashboard-password") || undefined,
  };
}
