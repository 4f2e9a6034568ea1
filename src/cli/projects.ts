/** `commonplace projects`: the namespaces of applications. */

import { runHere } from "../server/services.ts";
import { NO_PROJECT } from "../tasks/maintenance.ts";
import { failureOf } from "../tasks/run_task.ts";
import {
  inUnitOfWork,
  onlyPositional,
  readFlags,
  show,
  type Terminal,
  UsageError,
  verbOf,
  withServices,
} from "./verb.ts";

export const projects = verbOf({
  name: "projects",
  summary: "create, list and delete projects, switch their derived views",
  usage: [
    "commonplace projects create NAME",
    "commonplace projects list",
    "commonplace projects delete NAME [--yes]",
    "commonplace projects derivation NAME on|off",
  ],
}, { create, list, delete: remove, derivation });

async function create(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = readFlags(args, { positionals: true });
  const name = onlyPositional(flags, "project name");
  const { number: _, ...created } = await inUnitOfWork(
    flags,
    terminal,
    (tx, services) => services.projects.create(tx, name),
    { begins: true },
  );
  show(terminal, flags, created);
}

async function list(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = readFlags(args);
  const listed = await withServices(
    flags,
    terminal,
    ({ foundation, projects }) => foundation.store.read((db) => projects.list(db)),
  );
  show(terminal, flags, listed);
}

async function derivation(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = readFlags(args, { positionals: true });
  const [name, state, ...more] = flags.positionals;
  if (name === undefined || (state !== "on" && state !== "off") || more.length > 0) {
    throw new UsageError("Give a project name, and on or off");
  }
  const { id } = await inUnitOfWork(
    flags,
    terminal,
    (tx, services) => services.projects.setDerivation(tx, name, state === "on"),
  );
  show(terminal, flags, { id, name, derivation: state });
}

async function remove(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = readFlags(args, { switches: ["yes"], positionals: true });
  const name = onlyPositional(flags, "project name");
  if (!flags.switches.has("yes")) {
    const sure = terminal.confirm(`Delete project "${name}" with everything in it?`);
    if (sure === null) throw new UsageError("Say --yes to delete a project without being asked");
    if (!sure) throw new UsageError(`Project "${name}" was not deleted`);
  }
  const removed = await withServices(flags, terminal, async (services) => {
    const [project, task] = await services.foundation.store.write(async (tx) => {
      const named = await services.projects.named(tx, name);
      return [named, await services.projects.delete(tx, named)] as const;
    });
    const purged = await runHere(services, NO_PROJECT, task);
    if (purged.status !== "success") {
      throw new UsageError(
        `Project "${name}" is closed, but its purge failed: ${failureOf(purged)}`,
      );
    }
    return { id: project.id, name, deleted: true };
  });
  show(terminal, flags, removed);
}
