/** MCP on a data directory of this machine, without a server or beside one. */

import type { McpServerFactory } from "@modelcontextprotocol/server";
import { clearInterval, setInterval } from "node:timers";
import { type Permission, PERMISSIONS } from "../contract/endpoint.ts";
import { BUILTIN } from "../inference/service.ts";
import { jsonLog } from "../kernel/log.ts";
import type { FixedScope } from "../mcp/scopes.ts";
import { serverMaker } from "../mcp/server.ts";
import type { NumberedProject } from "../projects/service.ts";
import { VERSION } from "../version.ts";
import type { ServerConfig } from "./config.ts";
import { closeHouse, type House, openHouse } from "./house.ts";
import { endpointsOf, variantOf, WRITE_BEHIND_MS, writeBehind } from "./serve.ts";
import { WorkShare } from "./work_share.ts";

/** A house that answers MCP. */
export interface LocalMcp {
  readonly factory: McpServerFactory;
  stop(): Promise<void>;
}

/**
 * Opens a data directory for a client that may use all of a project: whoever can start this
 * process can read the files. An empty directory gets its default project, and no key.
 *
 * @throws ManagementError when there is no project of that name
 */
export async function openLocalMcp(
  config: ServerConfig,
  projectName: string,
  fixed: FixedScope,
): Promise<LocalMcp> {
  const house = await openHouse(config.data, {
    embedder: config.embedder,
    searchMemoryBytes: config.searchMemoryBytes,
    inference: config.inference ?? BUILTIN,
    ...config.variant === undefined ? {} : { variant: config.variant },
  });
  const { clock, ids } = house.foundation;
  const encoder = new TextEncoder();
  const write = (text: string) => void Deno.stderr.writeSync(encoder.encode(text));
  const log = jsonLog(clock, config.logLevel, write);
  let project: NumberedProject;
  try {
    project = await projectOf(house, projectName);
  } catch (error) {
    await closeHouse(house);
    throw error;
  }
  const endpoints = variantOf(endpointsOf(house), house, config.variant);
  const makeServer = serverMaker({ ...house, endpoints, log, version: VERSION });
  const holder = {
    project: project.number,
    projectId: project.id,
    permissions: Object.keys(PERMISSIONS) as Permission[],
  };
  const share = new WorkShare(house, config.data, log);
  share.start();
  const behind = setInterval(() => void writeBehind(house, log), WRITE_BEHIND_MS);
  return {
    factory: () => makeServer(() => ({ holder, fixed, requestId: ids.next("req") })),
    async stop() {
      clearInterval(behind);
      await share.stop();
      await writeBehind(house, log, "last");
      await closeHouse(house);
      log.flush();
    },
  };
}

function projectOf({ foundation, projects }: House, name: string): Promise<NumberedProject> {
  return foundation.store.write(async (tx) =>
    name === "default" && await projects.isEmpty(tx)
      ? await projects.create(tx, name)
      : await projects.named(tx, name)
  );
}
