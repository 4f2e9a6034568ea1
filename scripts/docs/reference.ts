/** The pages of `docs/reference`, made of the tables that the program itself works by. */

import { execFileSync } from "node:child_process";
import { COMMANDS } from "../../src/cli/main.ts";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { PERMISSIONS } from "../../src/contract/endpoint.ts";
import { RETRYABLE } from "../../src/extraction/error.ts";
import { ERROR_STATUS, type ErrorCode } from "../../src/kernel/errors.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { environmentName } from "../../src/server/config.ts";
import { SETTINGS } from "../../src/server/settings.ts";
import { closeServices, openServices } from "../../src/server/services.ts";
import { endpointsOf } from "../../src/server/endpoints.ts";
import { ERROR_MEANINGS, FAILURE_MEANINGS, type FailureCode } from "./error_meanings.ts";
import { LIMIT_MEANINGS } from "./limit_meanings.ts";

const NOTICE = "<!-- Written by `deno task docs`; change the code, not this page. -->";

/** Codes of failures that a later attempt may not meet; the others depend on the file alone. */
const TRANSIENT_CODES = new Set<FailureCode>([
  "PROVIDER_UNAVAILABLE",
  "PROVIDER_INVALID_RESPONSE",
  "PROVIDER_RATE_LIMITED",
  "LEASE_LOST",
]);

/**
 * Every page by its name, formatted as the repository is.
 *
 * @param workFolder an empty folder, in which a data directory is made to ask it for its endpoints
 */
export async function referencePages(workFolder: string): Promise<Map<string, string>> {
  const services = await openServices(workFolder);
  try {
    const pages = {
      "configuration.md": configuration(),
      "commands.md": commands(),
      "endpoints.md": endpoints(endpointsOf(services)),
      "errors.md": errors(),
      "limits.md": limits(),
    };
    return new Map(Object.entries(pages).map(([name, text]) => [name, formatMarkdown(text)]));
  } finally {
    await closeServices(services);
  }
}

function configuration(): string {
  return page("Configuration", [
    "A flag of `commonplace serve` wins over the environment, the environment over the default. " +
    "Secrets have no flag, which every process could see; each can come from a file, named by " +
    "the same variable with `_FILE` at its end. `commonplace config` shows what is in force and " +
    "where it came from.",
    table(
      ["flag", "environment", "default", "meaning"],
      SETTINGS.map((setting) => [
        setting.environmentOnly ? "" : code(`--${setting.name}`),
        code(environmentName(setting.name)),
        setting.default === "" ? "" : code(setting.default),
        setting.help,
      ]),
    ),
    "A switch is given as the flag alone, or as `on` or `off` in the environment.",
  ]);
}

function commands(): string {
  const sections = COMMANDS.map(({ name, summary, usage }) =>
    `## ${name}\n\n${sentence(summary)}\n\n\`\`\`text\n${usage.join("\n")}\n\`\`\``
  );
  return page("Commands", [
    "Every command takes `--data DIR` (or `COMMONPLACE_DATA`), and those that show something " +
    "take `--json`. `--help` after any of them tells its flags. A command that fails says why in " +
    "one line on standard error and ends with 1. Projects, keys, backups and the " +
    "checks of `doctor` don't need the server to be stopped.",
    ...sections,
  ]);
}

function endpoints(all: readonly Endpoint[]): string {
  const permissions = table(
    ["permission", "allows to"],
    Object.entries(PERMISSIONS).map(([name, meaning]) => [code(name), lowercaseFirst(meaning)]),
  );
  const sections = [...Map.groupBy(all, ({ tag }) => tag)].map(([tag, group]) =>
    `## ${tag}\n\n` + table(
      ["", "", "permission", "key", ""],
      group.map((each) => [
        each.method,
        code(each.path),
        code(each.permission),
        idempotencyKeyText(each),
        each.summary,
      ]),
    )
  );
  return page("Endpoints", [
    "`GET /v1/openapi.json` has them with every field, for machines. Requests carry " +
    "`Authorization: Bearer cpl_…`. The column *key* tells about the `Idempotency-Key`: with one, " +
    "repeating a request gives the first answer again. [Hosted](../variants.md#hosted) needs it " +
    "in some more places.",
    permissions,
    ...sections,
    "## Without a key\n\n" +
    "`GET /livez`, `GET /readyz`, `GET /v1/openapi.json`, and `GET /metrics` when `--metrics` is " +
    "on. `POST /mcp` is described in [MCP](../mcp.md); it takes the same keys.",
  ]);
}

function idempotencyKeyText(endpoint: Endpoint): string {
  if (!("change" in endpoint)) return "";
  if (endpoint.idempotencyKey === undefined) return "possible";
  return endpoint.idempotencyKey === "required" ? "needed" : "needed for some bodies";
}

function errors(): string {
  const responses = Object.entries(ERROR_STATUS).map(([name, status]) => [
    String(status),
    code(name),
    ERROR_MEANINGS[name as ErrorCode],
  ]);
  const failures = Object.entries(FAILURE_MEANINGS).map(([name, meaning]) => [
    code(name),
    isRetryable(name as FailureCode) ? "yes" : "no",
    meaning,
  ]);
  return page("Errors", [
    "Every answer that is no success is one JSON object. `code` is stable, `message` is for " +
    "people, and `request_id` stands in the log too. Some malformed requests never reach the " +
    "service and get an [empty 400](../hostile.md#what-the-http-layer-answers-by-itself).",
    '```json\n{"code":"MEMORY_NOT_FOUND","message":"No memory \\"mem_x\\"","request_id":"req_…"}\n```',
    table(["status", "code", "meaning"], responses),
    "## Of operations and events",
    "Work in the background that fails ends with one of these, or with a code from above, as its " +
    `\`error.code\`. What can help is tried again, ${LIMITS.taskAttempts} times in all; then, or ` +
    "at once where it can't help, the operation is dead until " +
    "`POST /v1/operations/{id}/retry` starts it over.",
    table(["code", "tried again", "meaning"], failures),
  ]);
}

function isRetryable(name: FailureCode): boolean {
  const extraction: Readonly<Partial<Record<FailureCode, boolean>>> = RETRYABLE;
  return extraction[name] ?? TRANSIENT_CODES.has(name);
}

function limits(): string {
  const rows = Object.entries(LIMITS).map(([name, value]) => {
    const [unit, meaning] = LIMIT_MEANINGS[name as keyof typeof LIMITS];
    return [value.toLocaleString("en-US"), unit, meaning];
  });
  return page("Limits", [
    "Bytes are those of UTF-8. A request that is over a limit is refused as a whole, with an " +
    "[error](errors.md) that names the field.",
    table(["limit", "", "of"], rows),
  ]);
}

function page(title: string, parts: readonly string[]): string {
  return [`# ${title}`, NOTICE, ...parts].join("\n\n") + "\n";
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function code(text: string): string {
  return `\`${text}\``;
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

function lowercaseFirst(text: string): string {
  return `${text[0]!.toLowerCase()}${text.slice(1)}`;
}

function formatMarkdown(text: string): string {
  const config = new URL("../../deno.json", import.meta.url).pathname;
  const args = ["fmt", "--quiet", "--config", config, "--ext", "md", "-"];
  return execFileSync(Deno.execPath(), args, { input: text, encoding: "utf8" });
}
