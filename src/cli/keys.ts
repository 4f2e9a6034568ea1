/** `commonplace keys`: the API keys of a project. */

import {
  inHouse,
  inProject,
  listFlag,
  onlyPositional,
  readFlags,
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
      const permissions = listFlag(flags, "permissions");
      const created = await inProject(
        flags,
        terminal,
        (house, tx, project) =>
          house.keys.create(tx, project, {
            name: flags.text["name"] ?? "",
            ...(permissions === undefined ? {} : { permissions }),
          }),
      );
      return show(terminal, flags, { ...created });
    }
    if (action === "list") {
      const flags = readFlags(args, { text: ["project"] });
      const listed = await inProject(
        flags,
        terminal,
        (house, tx, project) => house.keys.list(tx, project),
      );
      return show(terminal, flags, listed.map((key) => ({ ...key })));
    }
    if (action === "revoke") {
      const flags = readFlags(args, { positionals: true });
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
