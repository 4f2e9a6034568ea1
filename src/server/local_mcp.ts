/** MCP on a local data directory, with or without a running server. */

import type { McpServerFactory } from "@modelcontextprotocol/server";
import { type Permission, PERMISSIONS } from "../contract/endpoint.ts";
import { systemClock } from "../kernel/clock.ts";
import { stderrLog } from "../kernel/log.ts";
import { Progress } from "../kernel/progress.ts";
import type { FixedScope } from "../mcp/scopes.ts";
import { createServerFactory } from "../mcp/server.ts";
import type { NumberedProject } from "../projects/service.ts";
import type { Election } from "../store/membership.ts";
import { VERSION } from "../version.ts";
import type { ServerConfig } from "./config.ts";
import { endpointsOf } from "./endpoints.ts";
import { urlOf } from "./listen.ts";
import { findRunningServer } from "./server_file.ts";
import { claimFiles, closeServices, openServices, type Services } from "./services.ts";
import { BackgroundWork } from "./background_work.ts";
import { dataDirectoryElection, LeaderElection, localElection } from "./leader_election.ts";
import { WriteBehind } from "./write_behind.ts";

/** An open data directory that serves MCP. */
export interface LocalMcp {
  readonly factory: McpServerFactory;
  stop(): Promise<void>;
}

/**
 * Opens a data directory for a client with all permissions in a project: anyone who can start this
 * process can also read the files. An empty directory gets its default project, but no key.
 *
 * @throws ManagementError if the project doesn't exist
 * @throws ConfigError if the files aren't those of the records
 */
export async function openLocalMcp(
  config: ServerConfig,
  projectName: string,
  fixed: FixedScope,
): Promise<LocalMcp> {
  const log = stderrLog(systemClock(), config.logLevel);
  const progress = new Progress(log);
  const services = await openServices(config.data, config, progress.update)
    .finally(() => progress.end());
  await claimFiles(services);
  const { ids } = services.appContext;
  let project: NumberedProject;
  let election: Election;
  try {
    project = await findOrCreateProject(services, projectName);
    election = await electionOf(services, config.data);
  } catch (error) {
    await closeServices(services);
    throw error;
  }
  const endpoints = endpointsOf(services, config);
  const makeServer = createServerFactory({ ...services, endpoints, log, version: VERSION });
  const base = findRunningServer(config.data)?.url ??
    urlOf({ hostname: config.host, port: config.port });
  const principal = {
    project: project.number,
    projectId: project.id,
    permissions: Object.keys(PERMISSIONS) as Permission[],
  };
  const makeWork = () => new BackgroundWork(services, log, { isElected: true });
  const leader = new LeaderElection(election, makeWork, log);
  leader.start();
  const writeBehind = new WriteBehind(services, log);
  writeBehind.start();
  return {
    factory: () => makeServer({ principal, fixed, profile: "core", base }, () => ids.next("req")),
    async stop() {
      writeBehind.stop();
      await leader.stop();
      await writeBehind.finish();
      await closeServices(services);
      log.flush();
    },
  };
}

/** Returns the election that decides whether this process does the background work. */
async function electionOf({ engine: { membership, store } }: Services, directory: string) {
  if (membership === null) return dataDirectoryElection(directory, store);
  await membership.join("local");
  return localElection(membership);
}

function findOrCreateProject(
  { appContext, projects }: Services,
  name: string,
): Promise<NumberedProject> {
  return appContext.store.write(
    "projects",
    async (tx) =>
      name === "default" && await projects.isEmpty(tx)
        ? await projects.create(tx, name)
        : await projects.getByName(tx, name),
  );
}
