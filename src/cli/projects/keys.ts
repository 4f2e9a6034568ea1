/** `commonplace keys`: manages a project's API keys. */

import {
  commandGroup,
  inUnitOfWork,
  listFlag,
  printInProject,
  printResult,
  readFlags,
  singlePositional,
  type Terminal,
} from "../command.ts";

export const keys = commandGroup({
  name: "keys",
  summary: "create, list and revoke API keys",
  usage: [
    "commonplace keys create --project NAME " +
    "[--permissions memory:read,memory:write,operations:read] [--name TEXT]",
    "commonplace keys list --project NAME",
    "commonplace keys revoke ID",
  ],
}, { create, list, revoke });

async function create(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = readFlags(args, { text: ["project", "permissions", "name"] });
  const permissions = listFlag(flags, "permissions");
  const options = {
    name: flags.text["name"] ?? "",
    ...(permissions === undefined ? {} : { permissions }),
  };
  await printInProject(
    flags,
    terminal,
    (tx, services, project) => services.keys.create(tx, project, options),
  );
}

async function list(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = readFlags(args, { text: ["project"] });
  await printInProject(
    flags,
    terminal,
    (tx, services, project) => services.keys.list(tx, project),
  );
}

async function revoke(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = readFlags(args, { positionals: true });
  const id = singlePositional(flags, "key id");
  await inUnitOfWork(flags, terminal, (tx, services) => services.keys.revoke(tx, id), {
    owner: "rows",
  });
  printResult(terminal, flags, { id, revoked: true });
}
