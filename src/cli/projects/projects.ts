/** `commonplace projects`: manages projects, i.e. application namespaces. */

import { ArgumentError } from "../../server/config_error.ts";
import { runTaskInProcess } from "../../server/services.ts";
import { NO_PROJECT } from "../../tasks/maintenance.ts";
import { failureMessage } from "../../tasks/run_task.ts";
import {
  commandGroup,
  type Flags,
  inProject,
  inUnitOfWork,
  printResult,
  readFlags,
  singlePositional,
  type Terminal,
  UsageError,
  withServices,
} from "../command.ts";

export const projects = commandGroup({
  name: "projects",
  summary: "create, list and delete projects, turn derived views on or off",
  usage: [
    "commonplace projects create NAME",
    "commonplace projects list",
    "commonplace projects delete NAME [--yes]",
    "commonplace projects derivation NAME on|off",
  ],
}, { create, list, delete: remove, derivation });

async function create(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = readFlags(args, { positionals: true });
  const name = singlePositional(flags, "project name");
  const { number: _, ...created } = await inUnitOfWork(
    flags,
    terminal,
    (tx, services) => services.projects.create(tx, name),
    { createIfMissing: true },
  );
  printResult(terminal, flags, created);
}

async function list(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = readFlags(args);
  const listed = await withServices(
    flags,
    terminal,
    ({ appContext, projects }) => appContext.store.read((db) => projects.list(db)),
  );
  printResult(terminal, flags, listed);
}

async function derivation(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = readFlags(args, { positionals: true });
  const [name, state, ...more] = flags.positionals;
  if (name === undefined || (state !== "on" && state !== "off") || more.length > 0) {
    throw new ArgumentError("Expected a project name, and on or off");
  }
  const { id } = await inProject(
    flags,
    terminal,
    (tx, services) => services.projects.setDerivation(tx, name, state === "on"),
    name,
  );
  printResult(terminal, flags, { id, name, derivation: state });
}

async function remove(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = readFlags(args, { switches: ["yes"], positionals: true });
  const name = singlePositional(flags, "project name");
  if (!flags.switches.has("yes")) {
    const confirmed = terminal.confirm(`Delete project "${name}" and all its data?`);
    if (confirmed === null) throw new UsageError("Pass --yes to delete without confirmation");
    if (!confirmed) throw new UsageError(`Project "${name}" was not deleted`);
  }
  printResult(terminal, flags, await deleteProject(flags, terminal, name));
}

/** Deletes a project with all its data, and waits until that is done. */
export async function deleteProject(
  flags: Flags,
  terminal: Terminal,
  name: string,
): Promise<{ readonly id: string; readonly name: string; readonly deleted: true }> {
  return await withServices(flags, terminal, async (services) => {
    const { store } = services.appContext;
    const project = await store.read((db) => services.projects.getByName(db, name));
    const task = await store.write(
      project.number,
      async (tx) => await services.projects.delete(tx, await services.projects.getByName(tx, name)),
    );
    const purged = await runTaskInProcess(services, NO_PROJECT, task);
    if (purged.status !== "success") {
      throw new UsageError(
        `Project "${name}" was deleted, but removing its data failed: ${failureMessage(purged)}`,
      );
    }
    return { id: project.id, name, deleted: true };
  });
}
