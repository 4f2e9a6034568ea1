/** `commonplace dashboard`: a new one-time sign-in link. */

import { createSignInToken } from "../dashboard/sessions.ts";
import { inHouse, readFlags, show, type Verb } from "./verb.ts";

export const dashboard: Verb = {
  name: "dashboard",
  summary: "print a one-time sign-in link",
  usage: ["commonplace dashboard [--host HOST] [--port PORT]"],
  async run(args, terminal) {
    const flags = readFlags(args, { text: ["host", "port"] });
    const token = await inHouse(
      flags,
      terminal,
      ({ foundation }) =>
        foundation.store.write((tx) => createSignInToken(tx, foundation.clock.now())),
    );
    const host = flags.text["host"] ?? terminal.environment("COMMONPLACE_HOST") ?? "127.0.0.1";
    const port = flags.text["port"] ?? terminal.environment("COMMONPLACE_PORT") ?? "8420";
    const url = `http://${host}:${port}/#signin=${token}`;
    if (flags.switches.has("json")) return show(terminal, flags, { url });
    terminal.print(`Dashboard  ${url}`);
  },
};
