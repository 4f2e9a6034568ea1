/** `commonplace dashboard`: prints a new one-time sign-in link. */

import { createSignInToken } from "../../dashboard/sessions.ts";
import { resolveSettings, serverConfig } from "../../server/config.ts";
import { urlOf } from "../../server/listen.ts";
import { findRunningServer, signInLink } from "../../server/server_file.ts";
import { type Command, dataDirectory, inUnitOfWork, printResult, readFlags } from "../command.ts";

export const dashboard: Command = {
  name: "dashboard",
  summary: "print a one-time sign-in link",
  usage: ["commonplace dashboard [--host HOST] [--port PORT]"],
  async run(args, terminal) {
    const flags = readFlags(args, { text: ["host", "port"] });
    const addressFlags = ["host", "port"].flatMap((name) => {
      const value = flags.text[name];
      return value === undefined ? [] : [`--${name}=${value}`];
    });
    const settings = resolveSettings(addressFlags, terminal.environment);
    const { host: hostname, port } = serverConfig(settings);
    // Explicit settings take precedence. Otherwise, the link uses the running server's address.
    const isExplicit = settings.some(({ name, source }) =>
      (name === "host" || name === "port") && source !== "default"
    );
    const token = await inUnitOfWork(
      flags,
      terminal,
      (tx, { appContext }) => createSignInToken(tx, appContext.clock.now()),
    );
    const running = isExplicit ? null : findRunningServer(dataDirectory(flags, terminal));
    const url = signInLink(running ?? { url: urlOf({ hostname, port }) }, token);
    if (flags.switches.has("json")) return printResult(terminal, flags, { url });
    terminal.print(`Dashboard  ${url}`);
  },
};
