/** `commonplace projects`: the namespaces of applications. */

import { inHouse, onlyPositional, readFlags, show, UsageError, type Verb } from "./verb.ts";

export const projects: Verb = {
  name: "projects",
  summary: "create and list projects",
  usage: ["commonplace projects create NAME", "commonplace projects list"],
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
    throw new UsageError(`Use one of: ${projects.usage.join("; ")}`);
  },
};
