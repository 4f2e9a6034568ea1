/** Settles the settings: flags first, then the environment, then defaults; secrets from files too. */

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { EmbedderConfig } from "../embedding/open.ts";
import type { RuntimeName } from "../embedding/worker_messages.ts";
import type { InferenceConfig } from "../inference/service.ts";
import { HOUR_MS } from "../kernel/clock.ts";
import type { LogLevel } from "../kernel/log.ts";
import { type Setting, SETTINGS, type Variant } from "./settings.ts";

/** One setting as it is in force. */
export interface EffectiveSetting {
  readonly name: string;
  readonly value: string;
  readonly source: "flag" | "environment" | "file" | "default";
}

/** Configuration that can't be used; the message is one line for the person at the terminal. */
export class ConfigError extends Error {
  override readonly name: string = "ConfigError";
}

/** A word of the command line that nobody knows; help on the verb shows those that it takes. */
export class UnknownArgumentError extends ConfigError {
  override readonly name = "UnknownArgumentError";
}

/** Reads one variable of the environment. */
export type Environment = (name: string) => string | undefined;

/** The variable of the environment that sets the same as a flag, e.g. COMMONPLACE_LOG_LEVEL. */
export function environmentName(setting: string): string {
  return `COMMONPLACE_${setting.toUpperCase().replaceAll("-", "_")}`;
}

/**
 * Settles every setting.
 *
 * @throws WordError for an unknown flag
 * @throws ConfigError for a value out of range, or a file that can't be read
 */
export function resolveSettings(
  args: readonly string[],
  environment: Environment,
): EffectiveSetting[] {
  const flags = parseFlags(args);
  return SETTINGS.map((setting): EffectiveSetting => {
    const resolved = fromFlag(setting, flags) ?? fromEnvironment(setting, environment) ??
      { name: setting.name, value: setting.default, source: "default" as const };
    const problem = setting.check?.(resolved.value) ?? null;
    if (problem !== null) throw new ConfigError(`${sourceName(resolved)} ${problem}`);
    return resolved;
  });
}

/** A setting as whoever gave it knows it. */
function sourceName({ name, source }: EffectiveSetting): string {
  return source === "environment" ? environmentName(name) : `--${name}`;
}

type Flags = Readonly<Record<string, string | boolean | undefined>>;

function parseFlags(args: readonly string[]): Flags {
  const options = Object.fromEntries(
    SETTINGS.filter((setting) => !setting.environmentOnly).map((setting) => [
      setting.name,
      { type: setting.kind === "switch" ? "boolean" as const : "string" as const },
    ]),
  );
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new UnknownArgumentError((error as Error).message.split(". ")[0]!);
  }
}

function fromFlag(setting: Setting, flags: Flags): EffectiveSetting | null {
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
  try {
    return { name: setting.name, value: readFileSync(path, "utf8").trim(), source: "file" };
  } catch (error) {
    throw new ConfigError(`${name}_FILE can't be read: ${(error as Error).message}`);
  }
}

function readSwitch(name: string, value: string): string {
  if (/^(1|true|on|yes)$/i.test(value)) return "on";
  if (/^(0|false|off|no)$/i.test(value)) return "off";
  throw new ConfigError(`${name} must be on or off`);
}

/** The settings that a server runs with. */
export interface ServerConfig {
  readonly data: string;
  readonly host: string;
  readonly port: number;
  readonly logLevel: LogLevel;
  readonly metrics: boolean;
  /** The most bytes of an import's body; 128 MiB when not given. */
  readonly importBytes?: number;
  /** Backups that the server makes by itself; none when not given. */
  readonly backup?: { readonly directory: string; readonly everyMs: number; readonly keep: number };
  readonly embedder: EmbedderConfig;
  readonly searchMemoryBytes: number;
  /** The engine of inferred adds; the builtin one when not given. */
  readonly inference?: InferenceConfig;
  /** Self-hosted when not given. */
  readonly variant?: Variant;
  /** Lets webhooks reach this machine and private networks. */
  readonly webhooksAllowPrivate?: boolean;
  /** Undefined: the first start makes a key of its own and prints it. */
  readonly apiKey: string | undefined;
  /** Undefined: the dashboard is opened by one-time links only. */
  readonly dashboardPassword?: string | undefined;
}

/** Settled settings, in the types that the server works with. */
export function serverConfig(settings: readonly EffectiveSetting[]): ServerConfig {
  const value = (name: string) => settings.find((setting) => setting.name === name)!.value;
  return {
    data: value("data"),
    host: value("host"),
    port: Number(value("port")),
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
    searchMemoryBytes: Number(value("search-memory-mb")) * 2 ** 20,
    inference: {
      engine: value("inference") as InferenceConfig["engine"],
      url: value("inference-url"),
      model: value("inference-model"),
      apiKey: value("inference-api-key"),
    },
    variant: value("variant") as Variant,
    webhooksAllowPrivate: value("webhooks-allow-private") === "on",
    apiKey: value("api-key") || undefined,
    dashboardPassword: value("dashboard-password") || undefined,
  };
}
