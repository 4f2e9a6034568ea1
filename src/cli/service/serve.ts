/** `commonplace serve`: runs the service until a signal stops it. */

import { resolveSettings, serverConfig } from "../../server/config.ts";
import { startServer } from "../../server/serve.ts";
import type { Command } from "../command.ts";
import { onSignal } from "../interruption.ts";

export const serve: Command = {
  name: "serve",
  summary: "run the service",
  usage: ["commonplace serve [--data DIR] [--host HOST] [--port PORT] [--metrics] …"],
  async run(args, terminal) {
    const config = serverConfig(resolveSettings(args, terminal.environment));
    const stopped = stopSignal();
    const server = await startServer(config, terminal.print);
    await stopped;
    await server.stop();
  },
};

/** Resolves on the first SIGTERM or SIGINT. The second one exits immediately. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    onSignal((exitCode) => {
      if (stopping) Deno.exit(exitCode);
      stopping = true;
      resolve();
    });
  });
}
