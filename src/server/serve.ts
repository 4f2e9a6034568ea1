/** Service life cycle: start, serve, drain, stop. */

import { BackupSchedule } from "../backup/schedule.ts";
import { documentUrl, fetchDocument } from "../connections/client_documents.ts";
import { DocumentClients } from "../connections/document_clients.ts";
import { mountDashboard } from "../dashboard/mount.ts";
import { mountMem0 } from "../compat/mem0/mount.ts";
import { type AppDeps, createApp } from "../http/app.ts";
import { createBaseUrl } from "../http/base_url.ts";
import { createClientAddress, createProxyCheck } from "../http/client_address.ts";
import { AdviceLog } from "../health/advice_log.ts";
import type { Metrics } from "../http/metrics.ts";
import { systemClock } from "../kernel/clock.ts";
import { Progress } from "../kernel/progress.ts";
import { type Log, stderrLog } from "../kernel/log.ts";
import { systemTimers } from "../kernel/timers.ts";
import { mountMcp } from "../mcp/http.ts";
import { mountOAuth } from "../oauth/mount.ts";
import { VERSION } from "../version.ts";
import { ConfigError, type ServerConfig } from "./config.ts";
import { InFlightRequests } from "./in_flight_requests.ts";
import { endpointsOf } from "./endpoints.ts";
import {
  bootstrap,
  warnIfFilesAreApart,
  warnIfModelIsUnset,
  warnIfNoUsableKey,
} from "./bootstrap.ts";
import { claimFiles, closeServices, openServices, type Services } from "./services.ts";
import { instanceStats } from "./instance_stats.ts";
import { listen, urlOf } from "./listen.ts";
import { lockDataDirectory } from "./lock.ts";
import { deleteServerFile, signInLink, writeServerFile } from "./server_file.ts";
import { BackgroundWork } from "./background_work.ts";
import { WriteBehind } from "./write_behind.ts";

/** How long in-flight requests can take once the service is asked to stop, in milliseconds. */
const DRAIN_TIMEOUT_MS = 10_000;

/** A running service. */
export interface RunningServer {
  readonly url: string;
  /** Stops accepting requests, finishes running work, and flushes everything to disk. */
  stop(): Promise<void>;
}

/** Prints a line to standard output. */
type Print = (line: string) => void;

/**
 * Starts the service on a data directory.
 *
 * @throws ConfigError if another server is running on the directory or the port can't be opened,
 *   and any error from opening the directory
 */
export async function startServer(config: ServerConfig, print: Print): Promise<RunningServer> {
  if (config.database !== undefined && config.backup !== undefined) {
    throw new ConfigError(
      "--backup-dir copies a data directory, but COMMONPLACE_DATABASE_URL is set; " +
        "back up the database with pg_dump instead",
    );
  }
  const unlock = await lockDataDirectory(config.data);
  deleteServerFile(config.data);
  const log = stderrLog(systemClock(), config.logLevel);
  const progress = new Progress(log);
  const services = await openServices(config.data, config, progress.update)
    .finally(() => progress.end());
  await claimFiles(services);
  let state: "starting" | "ready" | "stopping" = "starting";
  const metrics = config.metrics ? await processMetrics(services) : null;
  const { app, closeMcp } = openApp(services, config, log, metrics, () => state);
  const inFlight = new InFlightRequests();
  const clientAddress = createClientAddress(config.trustedProxies ?? "");
  const isTrustedProxy = createProxyCheck(config.trustedProxies ?? "");
  const port = openPort(
    config,
    log,
    (request, remote) =>
      inFlight.track(app.fetch(request, {
        address: clientAddress(request.headers, remote),
        fromTrustedProxy: isTrustedProxy(remote),
      })),
  );
  const url = urlOf(port.address);
  writeServerFile(config.data, {
    url,
    publicUrl: config.publicUrl,
    webhooksAllowPrivate: config.webhooksAllowPrivate ?? false,
    fixedEmbedder: config.withEmbedder === undefined ? config.embedder.name : null,
  });
  // Print the key only once the port is open: it's shown just once, so it mustn't get lost if the
  // first start can't listen. Until then there's no key, and every request is rejected.
  await printCredentials(services, config, log, url, print);
  warnIfModelIsUnset(config, log);
  const backgroundWork = new BackgroundWork(services, log, { webhooks: webhooksOf(config) });
  const writeBehind = new WriteBehind(services, log);
  const components = [
    writeBehind,
    ...backupsOf(services, config, log),
    ...adviceOf(services, log),
  ];
  await backgroundWork.start();
  if (config.blobs === undefined) await warnIfFilesAreApart(services.engine.membership, log);
  for (const component of components) component.start();
  state = "ready";
  print(`commonplace listening on ${url}`);
  log.info("started", { version: VERSION, url });

  return {
    url,
    async stop() {
      state = "stopping";
      backgroundWork.stopScheduling();
      for (const component of components) await component.stop();
      // From here on, new requests are rejected. Let in-flight ones finish first: when Deno shuts
      // down, a body that's still arriving becomes unreadable (measured with 2.9.6).
      const drainTimeout = unrefDelay(DRAIN_TIMEOUT_MS);
      await Promise.race([
        Promise.all([inFlight.idle(), backgroundWork.finishTasks()]),
        drainTimeout,
      ]);
      await closeMcp();
      await Promise.race([port.shutdown(), drainTimeout]);
      await writeBehind.finish();
      services.embedder?.close();
      await backgroundWork.finish();
      await closeServices(services);
      unlock();
      log.info("stopped");
      log.flush();
    },
  };
}

/**
 * Opens the port.
 *
 * @throws ConfigError with the address if that fails
 */
function openPort(
  { host: hostname, port }: ServerConfig,
  log: Log,
  handler: Parameters<typeof listen>[2],
) {
  try {
    return listen({ hostname, port }, log, handler);
  } catch (error) {
    throw new ConfigError(
      `Can't listen on ${urlOf({ hostname, port })}: ${(error as Error).message}; ` +
        "choose another address with --host and --port",
    );
  }
}

/** Creates the app with the API, the dashboard, MCP and the mem0-compatible API. */
function openApp(
  services: Services,
  config: ServerConfig,
  log: Log,
  metrics: Metrics | null,
  state: AppDeps["state"],
) {
  const endpoints = endpointsOf(services, config);
  const baseUrl = createBaseUrl(config.publicUrl);
  const documents = new DocumentClients(services.appContext.clock, fetchDocument);
  const findClient = (id: string) =>
    config.oauthClientDocuments && documentUrl(id) !== null
      ? documents.find(id)
      : services.clients.find(id);
  const mcp = mountMcp({ ...services, endpoints, log, version: VERSION, baseUrl });
  const oauth = mountOAuth({
    ...services,
    ...services.appContext,
    baseUrl,
    clientDocuments: config.oauthClientDocuments ?? false,
  });
  const dashboard = mountDashboard({
    ...services,
    endpoints,
    baseUrl,
    findClient,
    password: config.dashboardPassword,
    instance: instanceStats(services.appContext.clock, services.engine),
  });
  const mem0 = mountMem0({
    ...services,
    endpoints,
    log,
    timers: systemTimers,
    isStopping: () => state() === "stopping",
  });
  const app = createApp({
    ...services,
    log,
    endpoints,
    mounts: [dashboard, oauth, mcp.mount, mem0],
    version: VERSION,
    metrics,
    state,
  });
  return { app, closeMcp: () => mcp.close() };
}

/**
 * Prints the key and sign-in link on the first start, to standard error if they can't be written to
 * standard output. Later starts only warn if no key can work.
 */
async function printCredentials(
  services: Services,
  { apiKey, publicUrl }: ServerConfig,
  log: Log,
  url: string,
  print: Print,
): Promise<void> {
  const first = await bootstrap(services, apiKey);
  if (first === null) return await warnIfNoUsableKey(services, apiKey, log);
  const lines = [
    ...first.apiKey === null ? [] : [`API key  ${first.apiKey}`],
    `Dashboard  ${signInLink({ url, publicUrl }, first.signInToken)}`,
  ];
  try {
    lines.forEach(print);
  } catch (error) {
    // The key is stored by now, and it can't be shown later.
    Deno.stderr.writeSync(new TextEncoder().encode(lines.join("\n") + "\n"));
    throw error;
  }
}

function backupsOf({ appContext: { clock } }: Services, config: ServerConfig, log: Log) {
  if (config.backup === undefined) return [];
  const plan = { source: config.data, ...config.backup };
  return [new BackupSchedule(plan, { clock, timers: systemTimers, log })];
}

function adviceOf(services: Services, log: Log) {
  const { appContext: { store }, embedder, searchMemory } = services;
  if (embedder === null) return [];
  const options = () => ({ model: embedder.get().configuredModelId, searchMemory });
  return [new AdviceLog({ store, options, timers: systemTimers, log })];
}

function webhooksOf({ variant, webhooksAllowPrivate }: ServerConfig) {
  return variant === "hosted" ? { allowPrivate: webhooksAllowPrivate ?? false } : undefined;
}

function unrefDelay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => Deno.unrefTimer(setTimeout(resolve, milliseconds)));
}

async function processMetrics({ projection }: Services): Promise<Metrics> {
  const { Metrics } = await import("../http/metrics.ts");
  const metrics = new Metrics();
  metrics.gauge(
    "process_resident_memory_bytes",
    "Resident memory of the process, in bytes",
    () => Deno.memoryUsage().rss,
  );
  if (projection !== null) {
    metrics.gauge(
      "commonplace_vectors_pending",
      "Memories and chunks without a vector",
      async () => (await projection.progress(null)).pending,
    );
  }
  return metrics;
}
