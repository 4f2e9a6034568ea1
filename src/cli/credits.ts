/** `commonplace credits`: what projects of the hosted variant may spend. */

import {
  inHouse,
  onlyPositional,
  readFlags,
  requiredFlag,
  show,
  UsageError,
  type Verb,
} from "./verb.ts";

export const credits: Verb = {
  name: "credits",
  summary: "grant and show credits, which the hosted variant meters",
  usage: [
    "commonplace credits grant --project NAME AMOUNT",
    "commonplace credits show --project NAME",
  ],
  async run([action, ...args], terminal) {
    const flags = readFlags(args, { text: ["project"] });
    const name = requiredFlag(flags, "project");
    if (action === "grant") {
      const amount = onlyPositional(flags, "amount");
      if (!/^[1-9]\d{0,11}$/.test(amount)) {
        throw new UsageError("The amount must be a whole number from 1 to 999999999999");
      }
      const granted = Number(amount);
      const shown = await inHouse(
        flags,
        terminal,
        async ({ foundation, projects, ledger }) =>
          await foundation.store.write(async (tx) => {
            const { number: project, id } = await projects.named(tx, name);
            const identity = foundation.ids.next("grant");
            await ledger.grant(tx, { project, identity, amount: granted });
            const { balance } = await ledger.credits(tx, project);
            return { project_id: id, granted, balance };
          }),
      );
      return show(terminal, flags, shown);
    }
    if (action === "show") {
      const shown = await inHouse(
        flags,
        terminal,
        ({ foundation, projects, ledger }) =>
          foundation.store.read(async (db) => {
            const { number, id } = await projects.named(db, name);
            return { project_id: id, ...await ledger.credits(db, number) };
          }),
      );
      return show(terminal, flags, shown);
    }
    throw new UsageError(`Use one of: ${credits.usage.join("; ")}`);
  },
};
