/** Command-line entry point. Runs a command and prints errors as a single line. */

import { describeError } from "../kernel/log.ts";
import { programName } from "../kernel/process/program_name.ts";
import { ArgumentError } from "../server/config_error.ts";
import { environmentName } from "../server/config.ts";
import { SETTINGS } from "../server/settings.ts";
import { backup } from "./records/backup.ts";
import { copy } from "./records/copy.ts";
import { doctor } from "./records/doctor.ts";
import { embedder } from "./models/embedder.ts";
import { explainCommand } from "./models/explain.ts";
import { restore } from "./records/restore.ts";
import { connections } from "./projects/connections.ts";
import { config } from "./service/config.ts";
import { demo } from "./service/demo.ts";
import { dashboard } from "./service/dashboard.ts";
import { exportCommand } from "./records/export.ts";
import { importCommand } from "./records/import.ts";
import { inference } from "./models/inference.ts";
import { connect } from "./connect/connect.ts";
import { credits } from "./projects/credits.ts";
import { webhooks } from "./projects/webhooks.ts";
import { keys } from "./projects/keys.ts";
import { mcp } from "./connect/mcp.ts";
import { projects } from "./projects/projects.ts";
import { serve } from "./service/serve.ts";
import { status } from "./service/status.ts";
import { type Command, formatTable, type Terminal, UsageError } from "./command.ts";
import { version } from "./service/version.ts";
import { readSystemError } from "./system_error.ts";
import { OutputClosedError, printMessage } from "./terminal.ts";

/** All commands, in help text order. */
export const COMMANDS: readonly Command[] = [
  serve,
  status,
  projects,
  keys,
  connect,
  connections,
  exportCommand,
  importCommand,
  backup,
  restore,
  copy,
  doctor,
  explainCommand,
  inference,
  embedder,
  dashboard,
  demo,
  mcp,
  credits,
  webhooks,
  config,
  version,
];

/** Common flags that double as commands. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["--help", "help"],
  ["-h", "help"],
  ["--version", "version"],
]);

/** Exit code if the reader of standard output is gone, as after the signal SIGPIPE: 128 + 13. */
const OUTPUT_CLOSED = 141;

/** Thrown when there is no such command. */
class UnknownCommandError extends UsageError {}

/** Runs a command line and returns the exit code. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const [word = "help", ...rest] = args;
  const name = ALIASES.get(word) ?? word;
  try {
    if (name === "help") {
      const [topic = "-"] = rest;
      terminal.print(
        topic.startsWith("-")
          ? help(programName(terminal.environment))
          : commandHelp(findCommand(topic)),
      );
      return 0;
    }
    const command = findCommand(name);
    if (rest.includes("--help") || rest.includes("-h")) terminal.print(commandHelp(command));
    else await command.run(rest, terminal);
    return 0;
  } catch (error) {
    if (error instanceof OutputClosedError) return OUTPUT_CLOSED;
    const debugging = terminal.environment("COMMONPLACE_LOG_LEVEL") === "debug";
    const text = debugging
      ? describeError(error)
      : explain(error, name, programName(terminal.environment));
    printMessage(text);
    return 1;
  }
}

/** Returns an error as a single line. For the full stack, set COMMONPLACE_LOG_LEVEL=debug. */
function explain(error: unknown, commandName: string, program: string): string {
  const message = (error instanceof Error ? error.message : String(error)).split("\n")[0];
  if (!message) return "Failed without a message. Set COMMONPLACE_LOG_LEVEL=debug for details";
  if (error instanceof ArgumentError) {
    return `${message}. Run "${program} ${commandName} --help" for its usage`;
  }
  if (error instanceof UnknownCommandError) {
    return `${message}. Run "${program} --help" for a list`;
  }
  if (isDatabaseCorrupt(error)) {
    return `The database is damaged: ${message}. Run "${program} doctor" for details, and ` +
      `"${program} restore" to restore a backup`;
  }
  const { reason, path } = readSystemError(message) ?? { reason: message, path: undefined };
  return path === undefined ? reason : `${path}: ${reason}`;
}

/**
 * Checks for SQLITE_CORRUPT and SQLITE_NOTADB (sqlite.org/rescode.html), where retrying won't help.
 */
function isDatabaseCorrupt(error: unknown): boolean {
  const { errcode = 0 } = error as { readonly errcode?: number };
  return [11, 26].includes(errcode & 0xff);
}

/**
 * Looks up a command by name.
 *
 * @throws UnknownCommandError if it doesn't exist
 */
function findCommand(name: string): Command {
  const command = COMMANDS.find((command) => command.name === name);
  if (command === undefined) {
    throw new UnknownCommandError(
      name.startsWith("-") ? `Expected a command before ${name}` : `Unknown command "${name}"`,
    );
  }
  return command;
}

function help(program: string): string {
  const commands = formatTable([...COMMANDS, { name: "help", summary: "show this help" }].map(
    ({ name, summary }) => ({ name: `  ${name}`, summary }),
  )).split("\n").slice(1);
  return [
    "Commonplace stores durable memories and citable sources on one machine.",
    "",
    "  commonplace COMMAND [--data DIR] [--json] …",
    "",
    ...commands,
    "",
    `Run "${program} COMMAND --help" for details.`,
  ].join("\n");
}

function commandHelp(command: Command): string {
  const usage = [
    `commonplace ${command.name}: ${command.summary}`,
    "",
    ...command.usage.map((line) => `  ${line}`),
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
