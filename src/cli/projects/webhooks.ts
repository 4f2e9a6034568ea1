/** `commonplace webhooks`: manages a project's webhooks (hosted variant). */

import { resolveSettings, serverConfig } from "../../server/config.ts";
import { findRunningServer } from "../../server/server_file.ts";
import {
  commandGroup,
  dataDirectory,
  inUnitOfWork,
  listFlag,
  printInProject,
  printResult,
  readFlags,
  requiredFlag,
  singlePositional,
  type Terminal,
} from "../command.ts";

const ALLOW_PRIVATE = "webhooks-allow-private";

export const webhooks = commandGroup({
  name: "webhooks",
  summary: "create, list and delete webhooks (hosted variant)",
  usage: [
    `commonplace webhooks create --project NAME --url URL [--events a,b] [--${ALLOW_PRIVATE}]`,
    "commonplace webhooks list --project NAME",
    "commonplace webhooks delete ID",
  ],
}, { create, list, delete: remove });

async function create(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = readFlags(args, {
    text: ["project", "url", "events"],
    switches: [ALLOW_PRIVATE],
  });
  const url = requiredFlag(flags, "url");
  const events = listFlag(flags, "events");
  // Uses the setting of the current or next server, so that URLs it would never call are rejected
  // up front.
  const running = findRunningServer(dataDirectory(flags, terminal));
  const settingFlags = flags.switches.has(ALLOW_PRIVATE) ? [`--${ALLOW_PRIVATE}`] : [];
  const { webhooksAllowPrivate } = serverConfig(
    resolveSettings(settingFlags, terminal.environment),
  );
  const settings = {
    url,
    ...(events === undefined ? {} : { events }),
    allowPrivate: running?.webhooksAllowPrivate || webhooksAllowPrivate || false,
  };
  await printInProject(
    flags,
    terminal,
    (tx, services, project) => services.webhooks.create(tx, project, settings),
  );
}

async function list(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = readFlags(args, { text: ["project"] });
  await printInProject(
    flags,
    terminal,
    (tx, services, project) => services.webhooks.list(tx, project),
  );
}

async function remove(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = readFlags(args, { positionals: true });
  const id = singlePositional(flags, "webhook id");
  await inUnitOfWork(flags, terminal, (tx, services) => services.webhooks.delete(tx, id), {
    owner: "rows",
  });
  printResult(terminal, flags, { id, deleted: true });
}
