/** Creates all services for a data directory. Used by both the server and the command line. */

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import sql from "sql-template-tag";
import type { ActivityService } from "../activity/service.ts";
import { associationsSection } from "../contract/associations.ts";
import { ClientRegistry } from "../connections/clients.ts";
import { ConnectionService } from "../connections/service.ts";
import { TokenService } from "../connections/token_service.ts";
import type { AppContext } from "../contract/app_context.ts";
import { DerivedProjector } from "../derived/projector.ts";
import { ContextService } from "../context/service.ts";
import { DerivedService } from "../derived/service.ts";
import { Preparer } from "../documents/preparer.ts";
import { DocumentSearchService } from "../documents/search_service.ts";
import { DocumentService } from "../documents/service.ts";
import { type BatchRunner, ChunkBatchQueue } from "../documents/chunk_batch_queue.ts";
import { documentSections } from "../documents/snapshot.ts";
import { NO_EMBEDDER } from "../embedding/open.ts";
import { EntityService } from "../entities/service.ts";
import { entitySection } from "../entities/snapshot.ts";
import { EventService } from "../events/service.ts";
import { episodeSection } from "../events/snapshot.ts";
import { HealthService } from "../health/service.ts";
import { Ledger } from "../hosted/ledger.ts";
import { WebhookService } from "../hosted/webhooks.ts";
import { FAILED_KEY_LIMIT } from "../http/authenticate.ts";
import { BUILTIN_CONFIG, type InferenceConfig, InferenceService } from "../inference/service.ts";
import { allWorkersEnded } from "../kernel/process/ending_workers.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import { Cursors } from "../kernel/http/cursor.ts";
import { FailureLimiter } from "../kernel/http/rate_limiter.ts";
import { NO_REPORT, type ReportStep } from "../kernel/progress.ts";
import { type Random, systemRandom, ulidIds } from "../kernel/ids.ts";
import { jsonLog } from "../kernel/log.ts";
import { systemTimers } from "../kernel/timers.ts";
import type { AccessLog } from "../memories/history/access_log.ts";
import { BatchService } from "../memories/batch/service.ts";
import { FeedbackService } from "../memories/history/feedback.ts";
import { ExportService } from "../exports/service.ts";
import { ImportService } from "../imports/service.ts";
import { ImportedMemories } from "../memories/imported.ts";
import { InferredMemories } from "../memories/claims/inferred.ts";
import { MemoryQueryService } from "../memories/search/query_service.ts";
import { MemorySearchService } from "../memories/search/service.ts";
import { MemoryService } from "../memories/service.ts";
import { memoryAssociations, memorySections } from "../memories/snapshot.ts";
import { OperationService } from "../operations/service.ts";
import { KeyService } from "../projects/keys.ts";
import { ProjectService } from "../projects/service.ts";
import type { SearchMemory } from "../search/search_memory.ts";
import type { SearchPool } from "../search/workers/pool.ts";
import type { CurrentEmbedder } from "../search/vectors/current_embedder.ts";
import { readEmbedderChoice } from "../search/vectors/embedder_choice.ts";
import type { QueryEmbedder } from "../search/vectors/query_embedder.ts";
import type { VectorHelper } from "../search/vectors/vector_helper.ts";
import type { VectorProjection } from "../search/vectors/vector_projection.ts";
import { SnapshotService } from "../snapshots/service.ts";
import { BlobStoreError, markOf } from "../store/blobs/mark.ts";
import { openBlobs } from "../store/blobs/open.ts";
import { SCHEMA_VERSION } from "../store/sqlite/migrations.ts";
import type { Store } from "../store/store.ts";
import { TaskQueue } from "../tasks/queue.ts";
import type { TaskRow } from "../tasks/repository.ts";
import { runTask } from "../tasks/run_task.ts";
import { UploadService } from "../uploads/service.ts";
import { assetAssociations, sourceAssetSection } from "../uploads/snapshot.ts";
import { ConfigError, type ServerConfig } from "./config.ts";
import { type Engine, openEngine } from "./engine.ts";
import { handlersOf } from "./handlers.ts";
import { visibleServersOf } from "./instance_stats.ts";
import { type SearchEngine, searchEngine } from "./search_engine.ts";

/** A data directory's services. */
export interface Services {
  readonly appContext: AppContext;
  readonly projects: ProjectService;
  readonly keys: KeyService;
  readonly clients: ClientRegistry;
  readonly connections: ConnectionService;
  readonly tokens: TokenService;
  readonly failedKeys: FailureLimiter;
  readonly memories: MemoryService;
  readonly inference: InferenceService;
  readonly derived: DerivedService;
  readonly follower: DerivedProjector;
  readonly feedback: FeedbackService;
  readonly access: AccessLog;
  readonly activity: ActivityService;
  readonly memorySearch: MemorySearchService;
  readonly memoryQueries: MemoryQueryService;
  readonly documents: DocumentService;
  readonly documentSearch: DocumentSearchService;
  readonly context: ContextService;
  readonly preparer: Preparer;
  readonly chunkBatches: ChunkBatchQueue;
  readonly engine: Engine;
  readonly uploads: UploadService;
  readonly pool: SearchPool;
  readonly searchMemory: SearchMemory;
  readonly vectors: QueryEmbedder;
  /** Null if search is words-only. */
  readonly embedder: CurrentEmbedder | null;
  /** Null if search is words-only. Started by the server. */
  readonly projection: VectorProjection | null;
  /** Null if there is no embedder, or if no other server can use the records. */
  readonly vectorHelper: VectorHelper | null;
  readonly batches: BatchService;
  readonly entities: EntityService;
  readonly queue: TaskQueue;
  readonly snapshots: SnapshotService;
  readonly imports: ImportService;
  readonly exports: ExportService;
  readonly operations: OperationService;
  readonly events: EventService;
  readonly health: HealthService;
  readonly ledger: Ledger;
  readonly webhooks: WebhookService;
}

/** Settings needed by the services. */
export interface ServiceOptions extends
  Pick<
    ServerConfig,
    | "embedder"
    | "withEmbedder"
    | "searchMemoryBytes"
    | "searchCopyBytes"
    | "inference"
    | "variant"
    | "database"
    | "blobs"
  > {
  /** Defaults to this machine's clock. */
  readonly clock?: Clock;
  /** Defaults to a cryptographic source. */
  readonly random?: Random;
}

/** Settings for management commands, which never search or infer. */
export const MANAGEMENT_OPTIONS: ServiceOptions = { embedder: NO_EMBEDDER, searchMemoryBytes: 0 };

/**
 * Opens a data directory, migrates its schema and text indexes, and creates all services. Nothing
 * runs in the background until `BackgroundWork` is started.
 */
export async function openServices(
  directory: string,
  options: ServiceOptions = MANAGEMENT_OPTIONS,
  report: ReportStep = NO_REPORT,
): Promise<Services> {
  const { clock = systemClock(), random = systemRandom() } = options;
  const engine = await openEngine(directory, options.database, report, {
    maxBytes: options.searchCopyBytes,
  });
  const { store } = engine;
  const cursors = new Cursors(await instanceSecret(store));
  const appContext: AppContext = {
    store,
    blobs: await openBlobs({
      directory,
      address: options.blobs,
      mark: () => store.read(markOf),
      random,
    }),
    clock,
    ids: ulidIds(clock, random),
    cursors,
  };
  const { membership, copies } = engine;
  // Files in the data directory are those of one process, so no other could use the images.
  if (copies !== null && membership !== null && options.blobs !== undefined) {
    const { CopyImages } = await import("../copies/images.ts");
    copies.images = new CopyImages({ records: store, blobs: appContext.blobs, membership, clock });
  }
  const queue = new TaskQueue({
    store,
    clock,
    random,
    bootId: membership?.boot ?? randomBytes(16).toString("hex"),
    goneAmong: membership === null ? undefined : (boots) => membership.goneAmong(boots),
  });
  const workDirectory = join(directory, "extraction");
  const choice = await store.read(readEmbedderChoice);
  const chosen = choice === null ? options : options.withEmbedder?.(choice) ?? options;
  const search = searchEngine(appContext, engine, chosen);
  const memoryAndViews = memoryServices(
    appContext,
    { ...search, membership },
    chosen.inference ?? BUILTIN_CONFIG,
  );
  const documents = documentServices(appContext, search, engine.batches);
  const services: Services = {
    appContext,
    queue,
    engine,
    ...search,
    ...memoryAndViews,
    ...documents,
    context: new ContextService({ ...memoryAndViews, ...documents }),
    exports: new ExportService(appContext),
    imports: new ImportService({
      appContext,
      imported: new ImportedMemories(appContext),
      ...memoryAndViews,
      ...documents,
    }),
    uploads: new UploadService(appContext, queue, workDirectory),
    operations: new OperationService(appContext, queue),
    events: new EventService(appContext),
    keys: new KeyService(appContext),
    clients: new ClientRegistry(appContext),
    connections: new ConnectionService(appContext),
    tokens: new TokenService(appContext),
    failedKeys: new FailureLimiter(clock, FAILED_KEY_LIMIT),
    ledger: new Ledger(clock),
    webhooks: new WebhookService(appContext),
  };
  services.documents.addDeletionListener(services.uploads);
  queue.register(...handlersOf(services, workDirectory, options.variant));
  return services;
}

/** Creates the services for memories and everything derived from them. */
function memoryServices(
  appContext: AppContext,
  search: SearchEngine & Pick<Engine, "membership">,
  config: InferenceConfig,
) {
  const memories = new MemoryService(appContext);
  const inference = new InferenceService(appContext, new InferredMemories(appContext), config);
  const derived = new DerivedService(appContext);
  const follower = new DerivedProjector(
    appContext,
    inference.textReader(),
    async () => await search.projection?.isEmbeddingBacklog() ?? false,
  );
  return {
    memories,
    inference,
    derived,
    follower,
    feedback: new FeedbackService(appContext),
    batches: new BatchService(appContext, memories),
    entities: new EntityService(appContext, memories),
    memoryQueries: new MemoryQueryService({ appContext, pool: search.pool }),
    memorySearch: new MemorySearchService({
      appContext,
      ...search,
      chains: (project, scope, ids) => derived.chains(project, scope, ids),
    }),
    projects: new ProjectService(
      appContext,
      (tx, project, on) => follower.onEnabledChange(tx, project, on),
    ),
    health: new HealthService({
      appContext,
      ...search,
      engine: () => inference.health(),
      tagger: () => inference.taggerStatus(),
      processes: () => visibleServersOf(search.membership),
      derivedLag: (db, project) => derived.lag(db, project),
    }),
  };
}

/**
 * Creates the services for documents and snapshots. Snapshots belong here because restoring a
 * document includes splitting it into chunks again.
 */
function documentServices(appContext: AppContext, search: SearchEngine, batches: BatchRunner) {
  const preparer = new Preparer();
  const chunkBatches = new ChunkBatchQueue(batches);
  const sections = [
    ...memorySections(appContext),
    associationsSection([memoryAssociations, assetAssociations]),
    entitySection,
    episodeSection,
    ...documentSections(appContext, preparer),
    sourceAssetSection,
  ];
  return {
    preparer,
    chunkBatches,
    documents: new DocumentService(appContext, preparer, chunkBatches),
    documentSearch: new DocumentSearchService({ appContext, ...search }),
    snapshots: new SnapshotService(appContext, sections, SCHEMA_VERSION),
  };
}

/** Runs a task to completion, for a command waiting on it. */
export async function runTaskInProcess(
  services: Services,
  project: number,
  id: string,
): Promise<TaskRow> {
  // Otherwise the leader would take the task for one of a process that is gone.
  await services.engine.membership?.join("local");
  const { store, clock } = services.appContext;
  const log = jsonLog(clock, "off", () => {});
  return await runTask(
    { queue: services.queue, store, clock, timers: systemTimers, log },
    project,
    id,
  );
}

/**
 * Checks that the files are those of the records. Closes the services if they aren't.
 *
 * @throws ConfigError if they aren't, or can't be read
 */
export async function claimFiles(services: Services): Promise<void> {
  const { store, blobs } = services.appContext;
  try {
    await blobs.claim(store);
  } catch (error) {
    await closeServices(services);
    if (error instanceof BlobStoreError) throw new ConfigError(error.message);
    throw error;
  }
}

/** Stops all threads. Afterwards, everything is in the database file. */
export async function closeServices(services: Services): Promise<void> {
  services.pool.close();
  services.vectors.close();
  services.embedder?.close();
  services.preparer.close();
  services.inference.close();
  await services.chunkBatches.close();
  try {
    await services.engine.close();
  } finally {
    await allWorkersEnded();
  }
}

/** Returns the data directory's cursor-signing secret, creating it if it doesn't exist. */
async function instanceSecret(store: Store): Promise<string> {
  const query = sql`select value from meta where name = 'secret'`;
  const read = () => store.read((db) => db.first<{ value: string }>(query));
  const existing = await read();
  if (existing !== undefined) return existing.value;
  const insertion = sql`insert into meta (name, value)
    values ('secret', ${randomBytes(32).toString("hex")}) on conflict (name) do nothing`;
  await store.write("maintenance", (tx) => tx.run(insertion));
  return (await read())!.value;
}
