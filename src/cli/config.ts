/** `commonplace config`: every setting as it is in force, and where it came from. */

import { settle } from "../server/config.ts";
import { SETTINGS } from "../server/settings.ts";
import { show, type Verb } from "./verb.ts";

export const config: Verb = {
  name: "config",
  summary: "show the effective settings and where each comes from",
  usage: ["commonplace config [the flags of serve]"],
  run(args, terminal) {
    const json = args.includes("--json");
    const settings = settle(args.filter((arg) => arg !== "--json"), terminal.environment);
    const shown = settings.map(({ name, value, source }) => {
      const secret = SETTINGS.find((setting) => setting.name === name)?.kind === "secret";
      return { name, value: secret && value !== "" ? "(hidden)" : value, source };
    });
    const switches = new Set(json ? ["json"] : []);
    show(terminal, { text: {}, switches, positionals: [] }, shown);
    return Promise.resolve();
  },
};
