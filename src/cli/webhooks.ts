/** `commonplace webhooks`: who is told what happens in a project of the hosted variant. */

import {
  inHouse,
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
      const [name, url] = [requiredFlag(flags, "project"), requiredFlag(flags, "url")];
      const events = flags.text["events"]?.split(",").map((each) => each.trim());
      const created = await inHouse(
        flags,
        terminal,
        async (house) =>
          await house.foundation.store.write(async (tx) =>
            await house.webhooks.create(tx, await house.projects.named(tx, name), {
              url,
              ...(events === undefined ? {} : { events }),
              allowPrivate: flags.switches.has("webhooks-allow-private"),
            })
          ),
      );
      return show(terminal, flags, { ...created });
    }
    if (action === "list") {
      const flags = readFlags(args, { text: ["project"] });
      const name = requiredFlag(flags, "project");
      const listed = await inHouse(
        flags,
        terminal,
        (house) =>
          house.foundation.store.read(async (db) =>
            await house.webhooks.list(db, await house.projects.named(db, name))
          ),
      );
      return show(terminal, flags, listed.map((webhook) => ({ ...webhook })));
    }
    if (action === "delete") {
      const flags = readFlags(args);
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
