/** Several servers on one database, behind a balancer. */

import { join } from "node:path";
import type { ServerConfig } from "../src/server/config.ts";
import { type RunningServer, startServer } from "../src/server/serve.ts";
import { blobFolder } from "../src/store/blobs/folder.ts";
import { makeFolderSync } from "../src/store/folders.ts";
import { type Balancer, startBalancer } from "./balancer.ts";

/** Number of servers. */
const CLUSTER_SIZE = 3;

/** Servers on one database. */
export interface Cluster extends RunningServer {
  /** The servers behind the balancer. */
  readonly servers: readonly RunningServer[];
}

/** Returns the data directory of each server, and the folder for files that they share. */
export function clusterDirectories(directory: string, count = CLUSTER_SIZE) {
  const blobs = blobFolder(directory);
  makeFolderSync(blobs);
  const others = Array.from(
    { length: count - 1 },
    (_, index) => join(directory, `process-${index + 2}`),
  );
  return { directories: [directory, ...others], blobs };
}

/**
 * Starts servers in this process, which share a database and nothing else.
 *
 * @param config configuration of the first one. The others have folders in its data directory
 */
export async function startCluster(config: ServerConfig): Promise<Cluster> {
  const servers: RunningServer[] = [];
  let balancer: Balancer | undefined;
  try {
    const { directories, blobs } = clusterDirectories(config.data);
    const shared = { ...config, blobs: { kind: "folder", directory: blobs } } as const;
    for (const data of directories) {
      servers.push(await startServer({ ...shared, data }, () => {}));
    }
    balancer = await startBalancer(servers.map(({ url }) => url));
  } finally {
    if (balancer === undefined) await Promise.all(servers.map((server) => server.stop()));
  }
  return {
    url: balancer.url,
    servers,
    async stop() {
      // Requests that wait for a task are responded to now.
      await Promise.all(servers.map((server) => server.stop()));
      await Promise.all(servers.map(({ url }) => balancer.idle(url)));
      await balancer.close();
    },
  };
}
