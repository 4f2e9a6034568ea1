/** `commonplace credits`: what projects of the hosted variant may spend. */

import { inProject, onlyPositional, readFlags, show, UsageError, type Verb } from "./verb.ts";

export const credits: Verb = {
  name: "credits",
  summary: "grant and show credits, which the hosted variant meters",
  usage: [
    "commonplace credits grant --project NAME AMOUNT",
    "commonplace credits show --project NAME",
  ],
  async run([action, ...args], terminal) {
    const flags = readFlags(args, { text: ["project"], positionals: action === "grant" });
    if (action === "grant") {
      const amount = onlyPositional(flags, "amount");
      if (!/^[1-9]\d{0,11}$/.test(amount)) {
        throw new UsageError("The amount must be a whole number from 1 to 999999999999");
      }
      const granted = Number(amount);
      const shown = await inProject(flags, terminal, async (house, tx, { id, number }) => {
        const identity = house.foundation.ids.next("grant");
        await house.ledger.grant(tx, { project: number, identity, amount: granted });
        const { balance } = await house.ledger.credits(tx, number);
        return { project_id: id, granted, balance };
      });
      return show(terminal, flags, shown);
    }
    if (action === "show") {
      const shown = await inProject(flags, terminal, async ({ ledger }, tx, { id, number }) => ({
        project_id: id,
        ...await ledger.credits(tx, number),
      }));
      return show(terminal, flags, shown);
    }
    throw new UsageError(`Use one of: ${credits.usage.join("; ")}`);
  },
};
