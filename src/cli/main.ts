/** The command line: finds the verb, runs it, and says in one line what went wrong. */

import { describeError } from "../kernel/log.ts";
import { environmentName, UnknownArgumentError } from "../server/config.ts";
import { SETTINGS } from "../server/settings.ts";
import { backup } from "./backup.ts";
import { doctor } from "./doctor.ts";
import { restore } from "./restore.ts";
import { config } from "./config.ts";
import { dashboard } from "./dashboard.ts";
import { exportCommand } from "./export.ts";
import { importCommand } from "./import.ts";
import { credits } from "./credits.ts";
import { webhooks } from "./webhooks.ts";
import { keys } from "./keys.ts";
import { mcp } from "./mcp.ts";
import { projects } from "./projects.ts";
import { serve } from "./serve.ts";
import { type Command, formatTable, type Terminal, UsageError } from "./command.ts";
import { version } from "./version.ts";

/** Every verb, in the order in which help lists it. */
export const COMMANDS: readonly Command[] = [
  serve,
  projects,
  keys,
  exportCommand,
  importCommand,
  backup,
  restore,
  doctor,
  dashboard,
  mcp,
  credits,
  webhooks,
  config,
  version,
];

/** What people try before they know that there are verbs. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["--help", "help"],
  ["-h", "help"],
  ["--version", "version"],
]);

/** Runs a command line and answers the exit code. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const [word = "help", ...rest] = args;
  const name = ALIASES.get(word) ?? word;
  try {
    if (name === "help") {
      const [about = "-"] = rest;
      terminal.print(about.startsWith("-") ? help() : commandHelp(findCommand(about)));
      return 0;
    }
    const command = findCommand(name);
    if (rest.includes("--help") || rest.includes("-h")) terminal.print(commandHelp(command));
    else await command.run(rest, terminal);
    return 0;
  } catch (error) {
    const debugging = terminal.environment("COMMONPLACE_LOG_LEVEL") === "debug";
    const text = debugging ? describeError(error) : explain(error, name);
    Deno.stderr.writeSync(new TextEncoder().encode(`commonplace: ${text}\n`));
    return 1;
  }
}

/** One line for the person at the terminal; whoever looks for a bug wants the whole stack. */
function explain(error: unknown, commandName: string): string {
  const message = (error instanceof Error ? error.message : String(error)).split("\n")[0];
  if (!message) return "Failed; COMMONPLACE_LOG_LEVEL=debug tells more";
  if (error instanceof UnknownArgumentError) {
    return `${message}; see commonplace ${commandName} --help`;
  }
  if (isDatabaseCorrupt(error)) {
    return `The database is damaged: ${message}; commonplace doctor says where, and ` +
      "commonplace restore makes a data directory out of a backup";
  }
  // "ENOENT: no such file or directory, open '/x'", as Node has it.
  const [, reason, path] = /^E[A-Z]+: ([^,]+), \w+ '([^']+)'/.exec(message) ?? [];
  return path === undefined ? message : `${path}: ${reason}`;
}

/** SQLITE_CORRUPT and SQLITE_NOTADB (sqlite.org/rescode.html): no other attempt will read it. */
function isDatabaseCorrupt(error: unknown): boolean {
  const { errcode = 0 } = error as { readonly errcode?: number };
  return [11, 26].includes(errcode & 0xff);
}

/** @throws UsageError */
function findCommand(name: string): Command {
  const command = COMMANDS.find((each) => each.name === name);
  if (command === undefined) throw new UsageError(`No verb "${name}"; see commonplace help`);
  return command;
}

function help(): string {
  const commands = formatTable([...COMMANDS, { name: "help", summary: "print this" }].map(
    (verb) => ({ verb: `  ${verb.name}`, does: verb.summary }),
  )).split("\n").slice(1);
  return [
    "Commonplace keeps durable memories and citable sources, on one machine.",
    "",
    "  commonplace VERB [--data DIR] [--json] …",
    "",
    ...commands,
    "",
    "commonplace VERB --help tells more.",
  ].join("\n");
}

function commandHelp(command: Command): string {
  const usage = [
    `commonplace ${command.name}: ${command.summary}`,
    "",
    ...command.usage.map((u) => `  ${u}`),
  ];
  if (command !== serve && command !== config) return usage.join("\n");
  const settings = SETTINGS.map((setting) => ({
    flag: setting.environmentOnly ? "" : `--${setting.name}`,
    environment: environmentName(setting.name) + (setting.kind === "secret" ? " or …_FILE" : ""),
    default: setting.default,
    meaning: setting.help,
  }));
  return [...usage, "", formatTable(settings)].join("\n");
}
