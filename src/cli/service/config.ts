/** `commonplace config`: shows every setting's effective value and where it comes from. */

import { readEmbedderChoice } from "../../search/vectors/embedder_choice.ts";
import {
  acceptsStoredEmbedder,
  type EffectiveSetting,
  resolveSettings,
  withStoredEmbedder,
} from "../../server/config.ts";
import { SETTINGS } from "../../server/settings.ts";
import { type Command, hasRecords, printResult, type Terminal, withServices } from "../command.ts";

export const config: Command = {
  name: "config",
  summary: "show the effective settings and their sources",
  usage: ["commonplace config [flags of serve]"],
  async run(args, terminal) {
    const json = args.includes("--json");
    const settings = await applyStored(
      resolveSettings(args.filter((arg) => arg !== "--json"), terminal.environment),
      terminal,
      json,
    );
    const shown = settings.map(({ name, value, source }) => {
      const isSecret = SETTINGS.find((setting) => setting.name === name)?.kind === "secret";
      return { name, value: isSecret && value !== "" ? "(hidden)" : value, source };
    });
    const switches = new Set(json ? ["json"] : []);
    printResult(terminal, { text: {}, switches, positionals: [] }, shown);
  },
};

/** Applies what is stored in the data directory, if there's one. */
async function applyStored(
  settings: EffectiveSetting[],
  terminal: Terminal,
  json: boolean,
): Promise<EffectiveSetting[]> {
  const data = settings.find(({ name }) => name === "data")!.value;
  const flags = { text: { data }, switches: new Set<string>(), positionals: [] };
  if (!hasRecords(flags, terminal) || !acceptsStoredEmbedder(settings)) return settings;
  try {
    const choice = await withServices(
      flags,
      terminal,
      ({ appContext }) => appContext.store.read(readEmbedderChoice),
    );
    return choice === null ? settings : withStoredEmbedder(settings, choice);
  } catch (error) {
    // The settings are needed most when the records can't be opened.
    if (!json) terminal.print(`The stored embedder can't be read: ${(error as Error).message}`);
    return settings;
  }
}
