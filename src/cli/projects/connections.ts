/** `commonplace connections`: lists and revokes what clients may do that signed in. */

import { listEvents } from "../../connections/audit.ts";
import { ManagementError } from "../../projects/schema.ts";
import type { Services } from "../../server/services.ts";
import {
  commandGroup,
  printInProject,
  printResult,
  readFlags,
  singlePositional,
  type Terminal,
  withServices,
} from "../command.ts";

/** Number of entries of the audit log to print. */
const MAX_ENTRIES = 100;

export const connections = commandGroup({
  name: "connections",
  summary: "list and revoke connections of clients that signed in",
  usage: [
    "commonplace connections list --project NAME",
    "commonplace connections revoke ID",
    "commonplace connections log [--project NAME]   (also sign-ins to the dashboard)",
  ],
}, { list, revoke, log });

async function list(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = readFlags(args, { text: ["project"] });
  await printInProject(flags, terminal, async (tx, services, project) => {
    const all = await services.connections.list(tx, project);
    if (flags.switches.has("json")) return all;
    return all.map(({ id, client_name, redirect_uri, permissions, status, last_used_at }) => ({
      id,
      client_name,
      redirect_uri,
      permissions,
      status,
      last_used_at,
    }));
  });
}

async function revoke(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = readFlags(args, { positionals: true });
  const id = singlePositional(flags, "connection id");
  await withServices(flags, terminal, async ({ appContext: { store }, connections }) => {
    const project = await store.read((db) => connections.projectOf(db, id));
    const revoked = await store.write(project, (tx) => connections.revoke(tx, id));
    if (!revoked) throw new ManagementError(`Connection "${id}" has already ended`);
  });
  printResult(terminal, flags, { id, revoked: true });
}

async function log(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = readFlags(args, { text: ["project"] });
  if (flags.text["project"] === undefined) {
    const read = ({ appContext: { store } }: Services) =>
      store.read((db) => listEvents(db, MAX_ENTRIES));
    return printResult(terminal, flags, await withServices(flags, terminal, read));
  }
  await printInProject(
    flags,
    terminal,
    (tx, _, project) => listEvents(tx, MAX_ENTRIES, project.number),
  );
}
