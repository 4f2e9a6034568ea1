/** `commonplace dashboard`: a new one-time sign-in link. */

import { createSignInToken } from "../dashboard/sessions.ts";
import { serverConfig, settle } from "../server/config.ts";
import { urlOf } from "../server/listen.ts";
import { runningServer } from "../server/running.ts";
import { dataDirectory, inUnitOfWork, readFlags, show, type Verb } from "./verb.ts";

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
    const settings = settle(where, terminal.environment);
    const { host: hostname, port } = serverConfig(settings);
    // An address that was asked for is taken as it is; else that of the server that runs.
    const isGiven = settings.some(({ name, source }) =>
      (name === "host" || name === "port") && source !== "default"
    );
    const token = await inUnitOfWork(
      flags,
      terminal,
      (tx, { foundation }) => createSignInToken(tx, foundation.clock.now()),
    );
    const running = isGiven ? null : runningServer(dataDirectory(flags, terminal));
    const url = `${running?.url ?? urlOf({ hostname, port })}/#signin=${token}`;
    if (flags.switches.has("json")) return show(terminal, flags, { url });
    terminal.print(`Dashboard  ${url}`);
  },
};
