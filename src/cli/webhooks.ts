/** `commonplace webhooks`: who is told what happens in a project of the hosted variant. */

import { serverConfig, settle } from "../server/config.ts";
import {
  inHouse,
  inProject,
  listFlag,
  onlyPositional,
  readFlags,
  requiredFlag,
  show,
  UsageError,
  type Verb,
} from "./verb.ts";

export const webhooks: Verb = {
  name: "webhooks",
  summary: "create, list and delete webhooks, which the hosted variant calls",
  usage: [
    "commonplace webhooks create --project NAME --url URL [--events a,b] [--webhooks-allow-private]",
    "commonplace webhooks list --project NAME",
    "commonplace webhooks delete ID",
  ],
  async run([action, ...args], terminal) {
    if (action === "create") {
      const flags = readFlags(args, {
        text: ["project", "url", "events"],
        switches: ["webhooks-allow-private"],
      });
      const url = requiredFlag(flags, "url");
      const events = listFlag(flags, "events");
      const allowed = flags.switches.has("webhooks-allow-private")
        ? ["--webhooks-allow-private"]
        : [];
      const config = serverConfig(settle(allowed, terminal.environment));
      const created = await inProject(
        flags,
        terminal,
        (house, tx, project) =>
          house.webhooks.create(tx, project, {
            url,
            ...(events === undefined ? {} : { events }),
            allowPrivate: config.webhooksAllowPrivate ?? false,
          }),
      );
      return show(terminal, flags, { ...created });
    }
    if (action === "list") {
      const flags = readFlags(args, { text: ["project"] });
      const listed = await inProject(
        flags,
        terminal,
        (house, tx, project) => house.webhooks.list(tx, project),
      );
      return show(terminal, flags, listed.map((webhook) => ({ ...webhook })));
    }
    if (action === "delete") {
      const flags = readFlags(args, { positionals: true });
      const id = onlyPositional(flags, "webhook id");
      await inHouse(
        flags,
        terminal,
        (house) => house.foundation.store.write((tx) => house.webhooks.delete(tx, id)),
      );
      return show(terminal, flags, { id, deleted: true });
    }
    throw new UsageError(`Use one of: ${webhooks.usage.join("; ")}`);
  },
};
