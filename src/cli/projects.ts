/** `commonplace projects`: the namespaces of applications. */

import { inHouse, onlyPositional, readFlags, show, UsageError, type Verb } from "./verb.ts";

export const projects: Verb = {
  name: "projects",
  summary: "create and list projects, switch their derived views",
  usage: [
    "commonplace projects create NAME",
    "commonplace projects list",
    "commonplace projects derivation NAME on|off",
  ],
  async run([action, ...args], terminal) {
    const flags = readFlags(args);
    if (action === "create") {
      const name = onlyPositional(flags, "project name");
      const { number: _, ...created } = await inHouse(
        flags,
        terminal,
        (house) => house.foundation.store.write((tx) => house.projects.create(tx, name)),
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
    throw new UsageError(`Use one of: ${projects.usage.join("; ")}`);
  },
};
