/** `commonplace config`: every setting as it is in force, and where it came from. */

import { resolveSettings } from "../server/config.ts";
import { SETTINGS } from "../server/settings.ts";
import { type Command, printResult } from "./command.ts";

export const config: Command = {
  name: "config",
  summary: "show the effective settings and where each comes from",
  usage: ["commonplace config [the flags of serve]"],
  run(args, terminal) {
    const json = args.includes("--json");
    const settings = resolveSettings(args.filter((arg) => arg !== "--json"), terminal.environment);
    const shown = settings.map(({ name, value, source }) => {
      const secret = SETTINGS.find((setting) => setting.name === name)?.kind === "secret";
      return { name, value: secret && value !== "" ? "(hidden)" : value, source };
    });
    const switches = new Set(json ? ["json"] : []);
    printResult(terminal, { text: {}, switches, positionals: [] }, shown);
    return Promise.resolve();
  },
};
