/** `commonplace keys`: the API keys of a project. */

import {
  inHouse,
  onlyPositional,
  readFlags,
  requiredFlag,
  show,
  UsageError,
  type Verb,
} from "./verb.ts";

export const keys: Verb = {
  name: "keys",
  summary: "create, list and revoke API keys",
  usage: [
    "commonplace keys create --project NAME [--permissions a,b] [--name TEXT]",
    "commonplace keys list --project NAME",
    "commonplace keys revoke ID",
  ],
  async run([action, ...args], terminal) {
    if (action === "create") {
      const flags = readFlags(args, { text: ["project", "permissions", "name"] });
      const project = requiredFlag(flags, "project");
      const permissions = flags.text["permissions"]?.split(",").map((each) => each.trim());
      const created = await inHouse(
        flags,
        terminal,
        (house) =>
          house.foundation.store.write(async (tx) =>
            await house.keys.create(tx, await house.projects.named(tx, project), {
              name: flags.text["name"] ?? "",
              ...(permissions === undefined ? {} : { permissions }),
            })
          ),
      );
      return show(terminal, flags, { ...created });
    }
    if (action === "list") {
      const flags = readFlags(args, { text: ["project"] });
      const project = requiredFlag(flags, "project");
      const listed = await inHouse(
        flags,
        terminal,
        (house) =>
          house.foundation.store.read(async (db) =>
            await house.keys.list(db, await house.projects.named(db, project))
          ),
      );
      return show(terminal, flags, listed.map((key) => ({ ...key })));
    }
    if (action === "revoke") {
      const flags = readFlags(args);
      const id = onlyPositional(flags, "key id");
      await inHouse(
        flags,
        terminal,
        (house) => house.foundation.store.write((tx) => house.keys.revoke(tx, id)),
      );
      return show(terminal, flags, { id, revoked: true });
    }
    throw new UsageError(`Use one of: ${keys.usage.join("; ")}`);
  },
};
