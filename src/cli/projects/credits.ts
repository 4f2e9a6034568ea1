/** `commonplace credits`: manages project credits (hosted variant). */

import {
  commandGroup,
  inProject,
  printResult,
  readFlags,
  singlePositional,
  type Terminal,
  UsageError,
} from "../command.ts";

export const credits = commandGroup({
  name: "credits",
  summary: "grant and show credits (hosted variant)",
  usage: [
    "commonplace credits grant --project NAME AMOUNT",
    "commonplace credits show --project NAME",
  ],
}, { grant, show: showCredits });

async function grant(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = readFlags(args, { text: ["project"], positionals: true });
  const text = singlePositional(flags, "amount");
  if (!/^[1-9]\d{0,11}$/.test(text)) {
    throw new UsageError("Amount must be a whole number from 1 to 999999999999");
  }
  const amount = Number(text);
  const granted = await inProject(flags, terminal, async (tx, services, { id, number }) => {
    const identity = services.appContext.ids.next("grant");
    await services.ledger.grant(tx, { project: number, identity, amount });
    const { balance } = await services.ledger.credits(tx, number);
    return { project_id: id, granted: amount, balance };
  });
  printResult(terminal, flags, granted);
}

async function showCredits(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = readFlags(args, { text: ["project"] });
  const credits = await inProject(flags, terminal, async (tx, { ledger }, { id, number }) => ({
    project_id: id,
    ...await ledger.credits(tx, number),
  }));
  printResult(terminal, flags, credits);
}
