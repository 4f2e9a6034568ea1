/** `commonplace serve`: runs the service until it is told to stop. */

import { serverConfig, settle } from "../server/config.ts";
import { startServer } from "../server/serve.ts";
import type { Verb } from "./verb.ts";

export const serve: Verb = {
  name: "serve",
  summary: "run the service",
  usage: ["commonplace serve [--data DIR] [--host HOST] [--port PORT] [--metrics] …"],
  async run(args, terminal) {
    const config = serverConfig(settle(args, terminal.environment));
    const stopped = stopSignal();
    const server = await startServer(config, terminal.print);
    await stopped;
    await server.stop();
  },
};

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const listener = () => {
      if (asked) Deno.exit(1);
      asked = true;
      resolve();
    };
    Deno.addSignalListener("SIGTERM", listener);
    Deno.addSignalListener("SIGINT", listener);
  });
}
