/** Settings of `serve`, each with a default, validation and help text. */

import { EMBEDDERS } from "../embedding/open.ts";
import { RUNTIMES } from "../embedding/worker_messages.ts";
import { trustedProxiesProblem } from "../http/client_address.ts";
import { ENGINES } from "../inference/service.ts";
import { LIMITS } from "../kernel/limits.ts";
import { LOG_LEVELS } from "../kernel/log.ts";
import { isLoopbackHost } from "../kernel/http/loopback.ts";
import { blobUrlProblem } from "../store/blobs/address.ts";
import { hostUrls } from "../store/postgres/hosts.ts";

/** A setting of `serve`. */
export interface Setting {
  /** Flag name without dashes. See `environmentName` for the variable. */
  readonly name: string;
  readonly kind: "text" | "number" | "switch" | "secret";
  readonly default: string;
  readonly help: string;
  /**
   * Whether there's no flag. Secrets don't have one: command lines are visible to every process.
   * Neither have settings that all commands need.
   */
  readonly environmentOnly?: boolean;
  /** Variable that other programs use for the same. Used if the setting's own isn't set. */
  readonly alias?: string;
  /**
   * Returns what's wrong with a value, phrased to follow the setting's name, or null if it's valid.
   */
  readonly check?: (value: string) => string | null;
}

const wholeNumber = (min: number, max: number) => (value: string) =>
  /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max
    ? null
    : `must be a whole number from ${min} to ${max}`;

const oneOf = (...values: readonly string[]) => (value: string) =>
  values.includes(value) ? null : `must be one of ${values.join(", ")}`;

const webUrl = (value: string) =>
  value === "" || /^https?:\/\/[^\s/?#]+[^\s?#]*$/.test(value)
    ? null
    : "must be an http or https URL, e.g. http://127.0.0.1:11434/v1";

const databaseUrl = (value: string) =>
  value === "" ||
    hostUrls(value).every((url) => /^postgres(?:ql)?:$/.test(URL.parse(url)?.protocol ?? ""))
    ? null
    : "must be a URL such as postgres://USER:PASSWORD@HOST/DATABASE";

/** Returns what's wrong with the service's own URL. Its path has to be empty. */
function publicUrlProblem(value: string): string | null {
  if (value === "") return null;
  const url = URL.parse(value);
  const isPlain = url !== null && url.origin + "/" === url.href;
  const isProtected = url?.protocol === "https:" ||
    (url?.protocol === "http:" && isLoopbackHost(url.hostname));
  if (isPlain && isProtected) return null;
  return "must be an https URL without a path, e.g. https://memory.example";
}

/** Kinds of deployment. See docs/variants.md. */
const VARIANTS = ["self-hosted", "desktop", "hosted"] as const;

/** A kind of deployment. */
export type Variant = typeof VARIANTS[number];

/** All settings, in help text order. */
export const SETTINGS: readonly Setting[] = [
  {
    name: "data",
    kind: "text",
    default: "./commonplace-data",
    help: "data directory",
    check: (value) => value === "" ? "must not be empty" : null,
  },
  { name: "host", kind: "text", default: "127.0.0.1", help: "address to listen on" },
  {
    name: "port",
    kind: "number",
    default: "8420",
    help: "port to listen on; 0 selects a free port",
    check: wholeNumber(0, 65_535),
  },
  {
    name: "public-url",
    kind: "text",
    default: "",
    help: "URL at which clients reach the service, e.g. https://memory.example; enables sign-in " +
      "for MCP behind a tunnel or proxy",
    check: publicUrlProblem,
  },
  {
    name: "trusted-proxies",
    kind: "text",
    default: "",
    help:
      "addresses or ranges of proxies, separated by commas; their X-Forwarded-For header names " +
      "the client when failed sign-ins are counted",
    check: trustedProxiesProblem,
  },
  {
    name: "oauth-client-documents",
    kind: "switch",
    default: "off",
    help:
      "accept MCP clients that identify themselves by the URL of a document; the service then " +
      "fetches it",
  },
  {
    name: "log-level",
    kind: "text",
    default: "info",
    help: `minimum level of logs on standard error: ${LOG_LEVELS.join(", ")}`,
    check: oneOf(...LOG_LEVELS),
  },
  {
    name: "embedder",
    kind: "text",
    default: "minilm",
    help: `embedding model for search by meaning: ${EMBEDDERS.join(", ")}`,
    check: oneOf(...EMBEDDERS),
  },
  {
    name: "embedder-runtime",
    kind: "text",
    default: "auto",
    help: `runtime of a built-in embedding model: auto (best available), ${RUNTIMES.join(", ")}`,
    check: oneOf("auto", ...RUNTIMES),
  },
  {
    name: "embedder-url",
    kind: "text",
    default: "http://127.0.0.1:11434/v1",
    help: "for openai: base URL of the endpoint, without /embeddings",
  },
  { name: "embedder-model", kind: "text", default: "", help: "for openai: name of the model" },
  {
    name: "embedder-api-key",
    kind: "secret",
    default: "",
    help: "for openai: API key, if the endpoint requires one",
    environmentOnly: true,
  },
  {
    name: "search-memory-mb",
    kind: "number",
    default: "640",
    help:
      "maximum memory for searches, in MB, divided between the search workers; 1 MB of a worker " +
      "holds 1,700 memories with vectors",
    check: wholeNumber(0, 1_000_000),
  },
  {
    name: "search-copy-mb",
    kind: "number",
    default: "20480",
    help:
      "with PostgreSQL: disk space for search copies, in MB; the least recently used ones are " +
      "removed beyond that",
    check: wholeNumber(1, 100_000_000),
  },
  {
    name: "variant",
    kind: "text",
    default: "self-hosted",
    help: `kind of deployment: ${VARIANTS.join(", ")}`,
    check: oneOf(...VARIANTS),
  },
  {
    name: "webhooks-allow-private",
    kind: "switch",
    default: "off",
    help: "hosted: allow webhooks to private networks and this machine",
  },
  { name: "metrics", kind: "switch", default: "off", help: "serve GET /metrics for Prometheus" },
  {
    name: "max-import-bytes",
    kind: "number",
    default: String(LIMITS.importBodyBytes),
    help: "maximum body size of POST /v1/imports, in bytes",
    check: wholeNumber(1, 2 ** 40),
  },
  {
    name: "backup-dir",
    kind: "text",
    default: "",
    help: "directory for scheduled backups; no backups if empty",
  },
  {
    name: "backup-every-hours",
    kind: "number",
    default: "24",
    help: "hours between scheduled backups",
    check: wholeNumber(1, 8_760),
  },
  {
    name: "backup-keep",
    kind: "number",
    default: "7",
    help: "number of scheduled backups to keep; older ones are deleted",
    check: wholeNumber(1, 10_000),
  },
  {
    name: "inference",
    kind: "text",
    default: "builtin",
    help: "inference engine: builtin (local rules) or openai (an OpenAI-compatible model)",
    check: oneOf(...ENGINES),
  },
  {
    name: "inference-tagger",
    kind: "text",
    default: "auto",
    help: "model that assists the local rules: auto (that of the embedder), minilm (English), " +
      "e5 (six languages), none",
    check: oneOf("auto", "minilm", "e5", "none"),
  },
  {
    name: "inference-url",
    kind: "text",
    default: "",
    help: "for openai: base URL of the endpoint, with its version, e.g. http://127.0.0.1:11434/v1",
    check: webUrl,
  },
  { name: "inference-model", kind: "text", default: "", help: "for openai: name of the model" },
  {
    name: "inference-api-key",
    kind: "secret",
    default: "",
    help: "for openai: API key, if the endpoint requires one",
    environmentOnly: true,
  },
  {
    name: "api-key",
    kind: "secret",
    default: "",
    help: "API key for the default project; if not set, the first start creates and prints one",
    environmentOnly: true,
  },
  {
    name: "database-url",
    kind: "secret",
    default: "",
    help: "PostgreSQL database for the records: postgres://USER:PASSWORD@HOST/DATABASE?schema=NAME",
    environmentOnly: true,
    check: databaseUrl,
  },
  {
    name: "blob-url",
    kind: "text",
    default: "",
    help: "with PostgreSQL: where files are stored, instead of the data directory: " +
      "file:///FOLDER, or s3://BUCKET/PREFIX?endpoint=URL&region=NAME",
    environmentOnly: true,
    check: blobUrlProblem,
  },
  {
    name: "s3-access-key-id",
    kind: "secret",
    default: "",
    help: "for s3: id of the access key; AWS_ACCESS_KEY_ID works too",
    environmentOnly: true,
    alias: "AWS_ACCESS_KEY_ID",
  },
  {
    name: "s3-secret-access-key",
    kind: "secret",
    default: "",
    help: "for s3: secret of the access key; AWS_SECRET_ACCESS_KEY works too",
    environmentOnly: true,
    alias: "AWS_SECRET_ACCESS_KEY",
  },
  {
    name: "dashboard-password",
    kind: "secret",
    default: "",
    help: "password for the dashboard, in addition to one-time links",
    environmentOnly: true,
  },
];
