/** `commonplace dashboard`: a new one-time sign-in link. */

import { createSignInToken } from "../dashboard/sessions.ts";
import { serverConfig, settle } from "../server/config.ts";
import { urlOf } from "../server/listen.ts";
import { inHouse, readFlags, show, type Verb } from "./verb.ts";

export const dashboard: Verb = {
  name: "dashboard",
  summary: "print a one-time sign-in link",
  usage: ["commonplace dashboard [--host HOST] [--port PORT]"],
  async run(args, terminal) {
    const flags = readFlags(args, { text: ["host", "port"] });
    const where = ["host", "port"].flatMap((name) => {
      const value = flags.text[name];
      return value === undefined ? [] : [`--${name}=${value}`];
    });
    const { host: hostname, port } = serverConfig(settle(where, terminal.environment));
    const token = await inHouse(
      flags,
      terminal,
      ({ foundation }) =>
        foundation.store.write((tx) => createSignInToken(tx, foundation.clock.now())),
    );
    const url = `${urlOf({ hostname, port })}/#signin=${token}`;
    if (flags.switches.has("json")) return show(terminal, flags, { url });
    terminal.print(`Dashboard  ${url}`);
  },
};
