/** Configuration: flags, then environment, then defaults. Every secret can come from a file. */

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { ENGINES, type InferenceConfig } from "../inference/service.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type EmbedderConfig, EMBEDDERS } from "../embedding/open.ts";
import { type RuntimeName, RUNTIMES } from "../embedding/worker_messages.ts";
import { LOG_LEVELS, type LogLevel } from "../kernel/log.ts";

/** One thing that `serve` can be told. */
export interface Setting {
  /** The flag without its dashes; `environmentName` makes the name of its variable. */
  readonly name: string;
  readonly kind: "text" | "number" | "switch" | "secret";
  readonly default: string;
  readonly help: string;
  /** Set only through the environment: a secret on a command line is seen by every process. */
  readonly environmentOnly?: boolean;
  /** What is wrong with a value, to follow the setting's name; null when nothing is. */
  readonly check?: (value: string) => string | null;
}

const wholeNumber = (min: number, max: number) => (value: string) =>
  /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max
    ? null
    : `must be a whole number from ${min} to ${max}`;

const oneOf = (...values: readonly string[]) => (value: string) =>
  values.includes(value) ? null : `must be one of ${values.join(", ")}`;

const webAddress = (value: string) =>
  value === "" || /^https?:\/\/[^\s/?#]+[^\s?#]*$/.test(value)
    ? null
    : "must be an http or https address, such as http://127.0.0.1:11434/v1";

/** What a deployment is (decisions of the contract, "Variants"). */
export const VARIANTS = ["self-hosted", "desktop", "hosted"] as const;

export type Variant = typeof VARIANTS[number];

/** Every setting, in the order in which help lists them. */
export const SETTINGS: readonly Setting[] = [
  { name: "data", kind: "text", default: "./commonplace-data", help: "the data directory" },
  { name: "host", kind: "text", default: "127.0.0.1", help: "the address to listen on" },
  {
    name: "port",
    kind: "number",
    default: "8420",
    help: "the port to listen on; 0 takes any free one",
    check: wholeNumber(0, 65_535),
  },
  {
    name: "log-level",
    kind: "text",
    default: "info",
    help: `how much is logged to standard error: ${LOG_LEVELS.join(", ")}`,
    check: oneOf(...LOG_LEVELS),
  },
  {
    name: "embedder",
    kind: "text",
    default: "minilm",
    help: `what makes vectors for search by meaning: ${EMBEDDERS.join(", ")}`,
    check: oneOf(...EMBEDDERS),
  },
  {
    name: "embedder-runtime",
    kind: "text",
    default: "auto",
    help: `what computes a built-in model: auto (the best that works), ${RUNTIMES.join(", ")}`,
    check: oneOf("auto", ...RUNTIMES),
  },
  {
    name: "embedder-url",
    kind: "text",
    default: "http://127.0.0.1:11434/v1",
    help: "for openai: the endpoint up to and without /embeddings",
  },
  { name: "embedder-model", kind: "text", default: "", help: "for openai: the model to ask for" },
  {
    name: "embedder-api-key",
    kind: "secret",
    default: "",
    help: "for openai: the key that the endpoint wants, if any",
    environmentOnly: true,
  },
  {
    name: "search-memory-mb",
    kind: "number",
    default: "640",
    help: "memory that searches may take; 1 MB holds 1,700 memories with their vectors",
    check: wholeNumber(0, 1_000_000),
  },
  {
    name: "variant",
    kind: "text",
    default: "self-hosted",
    help: `which deployment this is: ${VARIANTS.join(", ")}`,
    check: oneOf(...VARIANTS),
  },
  {
    name: "webhooks-allow-private",
    kind: "switch",
    default: "off",
    help: "hosted: let webhooks reach this machine and private networks",
  },
  { name: "metrics", kind: "switch", default: "off", help: "serve GET /metrics for Prometheus" },
  {
    name: "max-import-bytes",
    kind: "number",
    default: String(LIMITS.importBody),
    help: "the largest body of POST /v1/imports",
    check: wholeNumber(1, 2 ** 40),
  },
  {
    name: "backup-dir",
    kind: "text",
    default: "",
    help: "where backups are made while the server runs; none when empty",
  },
  {
    name: "backup-every-hours",
    kind: "number",
    default: "24",
    help: "hours between two backups",
    check: wholeNumber(1, 8_760),
  },
  {
    name: "backup-keep",
    kind: "number",
    default: "7",
    help: "how many backups are kept; the oldest go first",
    check: wholeNumber(1, 10_000),
  },
  {
    name: "inference",
    kind: "text",
    default: "builtin",
    help: "what reads inferred adds: builtin (here, without a network), or openai (a model)",
    check: oneOf(...ENGINES),
  },
  {
    name: "inference-url",
    kind: "text",
    default: "",
    help: "the model's OpenAI-compatible address, up to and including its version",
    check: webAddress,
  },
  { name: "inference-model", kind: "text", default: "", help: "the model's name" },
  {
    name: "inference-api-key",
    kind: "secret",
    default: "",
    help: "the key that the model's address asks for",
    environmentOnly: true,
  },
  {
    name: "api-key",
    kind: "secret",
    default: "",
    help: "the first start makes this the default project's key instead of printing a new one",
    environmentOnly: true,
  },
  {
    name: "dashboard-password",
    kind: "secret",
    default: "",
    help: "lets whoever knows it sign in to the dashboard, beside one-time links",
    environmentOnly: true,
  },
];

/** One setting as it is in force. */
export interface EffectiveSetting {
  readonly name: string;
  readonly value: string;
  readonly source: "flag" | "environment" | "file" | "default";
}

/** Configuration that can't be used; the message is one line for the person at the terminal. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
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
 * @throws ConfigError for an unknown flag, a value out of range, or a file that can't be read
 */
export function settle(args: readonly string[], environment: Environment): EffectiveSetting[] {
  const flags = parseFlags(args);
  return SETTINGS.map((setting): EffectiveSetting => {
    const settled = fromFlag(setting, flags) ?? fromEnvironment(setting, environment) ??
      { name: setting.name, value: setting.default, source: "default" as const };
    const fault = setting.check?.(settled.value) ?? null;
    if (fault !== null) throw new ConfigError(`${asGiven(settled)} ${fault}`);
    return settled;
  });
}

/** A setting as whoever gave it knows it. */
function asGiven({ name, source }: EffectiveSetting): string {
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
    throw new ConfigError((error as Error).message.split(". ")[0]!);
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
        everyMs: Number(value("backup-every-hours")) * 3_600_000,
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
