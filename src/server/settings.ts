/** What `serve` can be told: every setting with its default, its check and its help. */

import { EMBEDDERS } from "../embedding/open.ts";
import { RUNTIMES } from "../embedding/worker_messages.ts";
import { ENGINES } from "../inference/service.ts";
import { LIMITS } from "../kernel/limits.ts";
import { LOG_LEVELS } from "../kernel/log.ts";

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

/** What a deployment can be; docs/variants.md tells what each does. */
const VARIANTS = ["self-hosted", "desktop", "hosted"] as const;

/** One of them. */
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
    default: String(LIMITS.importBodyBytes),
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
