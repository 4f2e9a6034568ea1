/** `commonplace credits`: what projects of the hosted variant may spend. */

import {
  inProject,
  onlyPositional,
  readFlags,
  show,
  type Terminal,
  UsageError,
  verbOf,
} from "./verb.ts";

export const credits = verbOf({
  name: "credits",
  summary: "grant and show credits, which the hosted variant meters",
  usage: [
    "commonplace credits grant --project NAME AMOUNT",
    "commonplace credits show --project NAME",
  ],
}, { grant, show: showCredits });

async function grant(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = readFlags(args, { text: ["project"], positionals: true });
  const given = onlyPositional(flags, "amount");
  if (!/^[1-9]\d{0,11}$/.test(given)) {
    throw new UsageError("The amount must be a whole number from 1 to 999999999999");
  }
  const amount = Number(given);
  const granted = await inProject(flags, terminal, async (tx, services, { id, number }) => {
    const identity = services.foundation.ids.next("grant");
    await services.ledger.grant(tx, { project: number, identity, amount });
    const { balance } = await services.ledger.credits(tx, number);
    return { project_id: id, granted: amount, balance };
  });
  show(terminal, flags, granted);
}

async function showCredits(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = readFlags(args, { text: ["project"] });
  const credits = await inProject(flags, terminal, async (tx, { ledger }, { id, number }) => ({
    project_id: id,
    ...await ledger.credits(tx, number),
  }));
  show(terminal, flags, credits);
}
