/** `commonplace config`: shows every setting's effective value and where it comes from. */

import { resolveSettings } from "../server/config.ts";
import { SETTINGS } from "../server/settings.ts";
import { type Command, printResult } from "./command.ts";

export const config: Command = {
  name: "config",
  summary: "show the effective settings and their sources",
  usage: ["commonplace config [flags of serve]"],
  run(args, terminal) {
    const json = args.includes("--json");
    const settings = resolveSettings(args.filter((arg) => arg !== "--json"), terminal.environment);
    const shown = settings.map(({ name, value, source }) => {
      const isSecret = SETTINGS.find((setting) => setting.name === name)?.kind === "secret";
      return { name, value: isSecret && value !== "" ? "(hidden)" : value, source };
    });
    const switches = new Set(json ? ["json"] : []);
    printResult(terminal, { text: {}, switches, positionals: [] }, shown);
    return Promise.resolve();
  },
};
