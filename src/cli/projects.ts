/** `commonplace projects`: the namespaces of applications. */

import { runHere } from "../server/house.ts";
import { HOUSE } from "../tasks/maintenance.ts";
import {
  type Flags,
  inHouse,
  onlyPositional,
  readFlags,
  show,
  type Terminal,
  UsageError,
  type Verb,
} from "./verb.ts";

export const projects: Verb = {
  name: "projects",
  summary: "create, list and delete projects, switch their derived views",
  usage: [
    "commonplace projects create NAME",
    "commonplace projects list",
    "commonplace projects delete NAME [--yes]",
    "commonplace projects derivation NAME on|off",
  ],
  async run([action, ...args], terminal) {
    const flags = readFlags(args, {
      switches: action === "delete" ? ["yes"] : [],
      positionals: action !== "list",
    });
    if (action === "create") {
      const name = onlyPositional(flags, "project name");
      const { number: _, ...created } = await inHouse(
        flags,
        terminal,
        (house) => house.foundation.store.write((tx) => house.projects.create(tx, name)),
        { begins: true },
      );
      return show(terminal, flags, created);
    }
    if (action === "list") {
      const listed = await inHouse(
        flags,
        terminal,
        (house) => house.foundation.store.read((db) => house.projects.list(db)),
      );
      return show(terminal, flags, listed as unknown as Record<string, unknown>[]);
    }
    if (action === "derivation") {
      const [name, state, ...more] = flags.positionals;
      if (name === undefined || (state !== "on" && state !== "off") || more.length > 0) {
        throw new UsageError("Give a project name, and on or off");
      }
      const { id } = await inHouse(
        flags,
        terminal,
        (house) =>
          house.foundation.store.write((tx) =>
            house.projects.setDerivation(tx, name, state === "on")
          ),
      );
      return show(terminal, flags, { id, name, derivation: state });
    }
    if (action === "delete") {
      return show(terminal, flags, await deleteProject(flags, terminal));
    }
    throw new UsageError(`Use one of: ${projects.usage.join("; ")}`);
  },
};

async function deleteProject(flags: Flags, terminal: Terminal) {
  const name = onlyPositional(flags, "project name");
  if (!flags.switches.has("yes")) {
    const sure = terminal.confirm(`Delete project "${name}" with everything in it?`);
    if (sure === null) throw new UsageError("Say --yes to delete a project without being asked");
    if (!sure) throw new UsageError(`Project "${name}" was not deleted`);
  }
  return await inHouse(flags, terminal, async (house) => {
    const [project, task] = await house.foundation.store.write(async (tx) => {
      const named = await house.projects.named(tx, name);
      return [named, await house.projects.delete(tx, named)] as const;
    });
    const purged = await runHere(house, HOUSE, task);
    if (purged.status !== "success") {
      throw new UsageError(`Project "${name}" is closed, but its purge failed: ${purged.error}`);
    }
    return { id: project.id, name, deleted: true };
  });
}
