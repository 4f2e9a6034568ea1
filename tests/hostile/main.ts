/**
 * `deno task hostile [--size N]`: runs the hostile client campaign with N connections per attack.
 */

import { parseArgs } from "node:util";
import { runCampaign } from "./campaign.ts";

const { values } = parseArgs({ options: { size: { type: "string", default: "2000" } } });
const size = Number(values.size);
if (!Number.isInteger(size) || size < 1) throw new Error("--size must be an integer of at least 1");

await runCampaign(size, (line) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`)));
