/** One store and every service on it, put together for the server and for the command line. */

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import sql from "sql-template-tag";
import { ActivityService } from "../activity/service.ts";
import { associationsSection } from "../contract/associations.ts";
import type { Foundation } from "../contract/foundation.ts";
import { DerivedFollower } from "../derived/follow.ts";
import { DerivedService } from "../derived/service.ts";
import { Preparer } from "../documents/preparer.ts";
import { reindexChunksIfOutdated } from "../documents/reindex.ts";
import { DocumentSearchService } from "../documents/search_service.ts";
import { DocumentService } from "../documents/service.ts";
import { Slices } from "../documents/slices.ts";
import { documentSections } from "../documents/snapshot.ts";
import type { Embedder } from "../embedding/embedder.ts";
import { NO_EMBEDDER, openEmbedder } from "../embedding/open.ts";
import { EntityService } from "../entities/service.ts";
import { entitySection } from "../entities/snapshot.ts";
import { EventService } from "../events/service.ts";
import { episodeSection } from "../events/snapshot.ts";
import { HealthService } from "../health/service.ts";
import { Ledger } from "../hosted/ledger.ts";
import { WebhookService } from "../hosted/webhooks.ts";
import { FAILED_KEYS } from "../http/authenticate.ts";
import { BUILTIN, type InferenceConfig, InferenceService } from "../inference/service.ts";
import { systemClock } from "../kernel/clock.ts";
import { Cursors } from "../kernel/cursor.ts";
import { Failures } from "../kernel/failures.ts";
import { systemRandom, ulidIds } from "../kernel/ids.ts";
import { jsonLog } from "../kernel/log.ts";
import { systemTimers } from "../kernel/timers.ts";
import { AccessLog } from "../memories/access.ts";
import { BatchService } from "../memories/batch.ts";
import { FeedbackService } from "../memories/feedback.ts";
import { RefinedMemories } from "../memories/refined.ts";
import { reindexIfOutdated } from "../memories/reindex.ts";
import { MemorySearchService } from "../memories/search_service.ts";
import { MemoryService } from "../memories/service.ts";
import { memoryAssociations, memorySections } from "../memories/snapshot.ts";
import { OperationService } from "../operations/service.ts";
import { KeyService } from "../projects/keys.ts";
import { ProjectService } from "../projects/service.ts";
import { openSearchPool, type SearchPool } from "../search/pool.ts";
import { QueryVectors } from "../search/query_vectors.ts";
import { VectorProjection } from "../search/vector_projection.ts";
import { SnapshotService } from "../snapshots/service.ts";
import { blobFolder, Blobs } from "../store/blobs.ts";
import { CheckpointThread } from "../store/sqlite/wal.ts";
import { SCHEMA_VERSION } from "../store/sqlite/migrations.ts";
import { SqliteStore } from "../store/sqlite/store.ts";
import { TaskQueue } from "../tasks/queue.ts";
import type { TaskRow } from "../tasks/repository.ts";
import { runTask } from "../tasks/run_task.ts";
import { UploadService } from "../uploads/service.ts";
import { assetAssociations, sourceAssetSection } from "../uploads/snapshot.ts";
import type { ServerConfig } from "./config.ts";
import { handlersOf } from "./handlers.ts";

/** Searches that run at the same time: one core stays with the event loop and the writer. */
const SEARCH_WORKERS = Math.max(1, navigator.hardwareConcurrency - 1);

/** Everything that a data directory can do. */
export interface Services {
  readonly foundation: Foundation;
  readonly projects: ProjectService;
  readonly keys: KeyService;
  readonly failedKeys: Failures;
  readonly memories: MemoryService;
  readonly inference: InferenceService;
  readonly derived: DerivedService;
  readonly follower: DerivedFollower;
  readonly feedback: FeedbackService;
  readonly access: AccessLog;
  readonly activity: ActivityService;
  readonly memorySearch: MemorySearchService;
  readonly documents: DocumentService;
  readonly documentSearch: DocumentSearchService;
  readonly preparer: Preparer;
  readonly slices: Slices;
  readonly checkpoints: CheckpointThread;
  readonly uploads: UploadService;
  readonly pool: SearchPool;
  readonly vectors: QueryVectors;
  /** Null where searches go by words alone. */
  readonly embedder: Embedder | null;
  /** Null likewise; runs when the server starts it. */
  readonly projection: VectorProjection | null;
  readonly batches: BatchService;
  readonly entities: EntityService;
  readonly queue: TaskQueue;
  readonly snapshots: SnapshotService;
  readonly operations: OperationService;
  readonly events: EventService;
  readonly health: HealthService;
  readonly ledger: Ledger;
  readonly webhooks: WebhookService;
}

/** The settings that services depend on. */
export type ServiceOptions = Pick<
  ServerConfig,
  "embedder" | "searchMemoryBytes" | "inference" | "variant"
>;

/** For the verbs of the command line, which neither search nor infer. */
const FOR_MANAGEMENT: ServiceOptions = { embedder: NO_EMBEDDER, searchMemoryBytes: 0 };

/**
 * Opens a data directory, brings its schema and its text indexes up to date, and builds every
 * service on it. Nothing runs in the background yet: that is what `BackgroundWork` starts.
 */
export async function openServices(
  directory: string,
  options: ServiceOptions = FOR_MANAGEMENT,
): Promise<Services> {
  const [clock, random] = [systemClock(), systemRandom()];
  const store = new SqliteStore(directory);
  const foundation: Foundation = {
    store,
    blobs: new Blobs(blobFolder(directory), random),
    clock,
    ids: ulidIds(clock, random),
    cursors: new Cursors(await instanceSecret(store)),
  };
  await reindexIfOutdated(store);
  await reindexChunksIfOutdated(store);
  const checkpoints = new CheckpointThread(store.path);
  store.checkpointBy(() => checkpoints.run());
  const queue = new TaskQueue({ store, clock, random, bootId: randomBytes(16).toString("hex") });
  const workDirectory = join(directory, "extraction");
  const search = searchEngine(foundation, store.path, options);
  const services: Services = {
    foundation,
    queue,
    checkpoints,
    ...search,
    ...memoryServices(foundation, search, options.inference ?? BUILTIN),
    ...documentServices(foundation, search, store.path),
    uploads: new UploadService(foundation, queue, workDirectory),
    operations: new OperationService(foundation, queue),
    events: new EventService(foundation),
    keys: new KeyService(foundation),
    failedKeys: new Failures(clock, FAILED_KEYS),
    ledger: new Ledger(clock),
    webhooks: new WebhookService(foundation),
  };
  services.documents.accompany(services.uploads);
  queue.register(...handlersOf(services, workDirectory, options.variant));
  return services;
}

/** What searches for memories and for documents share. */
function searchEngine(foundation: Foundation, database: string, options: ServiceOptions) {
  const { store } = foundation;
  const embedder = openEmbedder(options.embedder);
  const memoryBytes = options.searchMemoryBytes;
  return {
    embedder,
    vectors: new QueryVectors(store, embedder),
    projection: embedder && new VectorProjection({ store, embedder, timers: systemTimers }),
    pool: openSearchPool(database, { workers: SEARCH_WORKERS, memoryBytes }),
    access: new AccessLog(foundation),
    activity: new ActivityService(foundation),
  };
}

type SearchEngine = ReturnType<typeof searchEngine>;

/** Memories, and everything that is made of them. */
function memoryServices(foundation: Foundation, search: SearchEngine, config: InferenceConfig) {
  const memories = new MemoryService(foundation);
  const inference = new InferenceService(foundation, new RefinedMemories(foundation), config);
  const derived = new DerivedService(foundation);
  const follower = new DerivedFollower(foundation, (texts) => inference.claims(texts));
  return {
    memories,
    inference,
    derived,
    follower,
    feedback: new FeedbackService(foundation),
    batches: new BatchService(foundation, memories),
    entities: new EntityService(foundation, memories),
    memorySearch: new MemorySearchService({
      foundation,
      ...search,
      chains: (project, scope, ids) => derived.chains(project, scope, ids),
    }),
    projects: new ProjectService(
      foundation,
      (tx, project, on) => follower.switched(tx, project, on),
    ),
    health: new HealthService({
      foundation,
      ...search,
      engine: () => inference.health(),
      derivedLag: (db, project) => derived.lag(db, project),
    }),
  };
}

/** Documents; and snapshots, which cut restored documents into chunks again. */
function documentServices(foundation: Foundation, search: SearchEngine, database: string) {
  const preparer = new Preparer();
  const slices = new Slices(foundation.store, database);
  const sections = [
    ...memorySections(foundation),
    associationsSection([memoryAssociations, assetAssociations]),
    entitySection,
    episodeSection,
    ...documentSections(foundation, preparer),
    sourceAssetSection,
  ];
  return {
    preparer,
    slices,
    documents: new DocumentService(foundation, preparer, slices),
    documentSearch: new DocumentSearchService({ foundation, ...search }),
    snapshots: new SnapshotService(foundation, sections, SCHEMA_VERSION),
  };
}

/** Runs a task to its end, for a command that waits for it. */
export function runHere(services: Services, project: number, id: string): Promise<TaskRow> {
  const { store, clock } = services.foundation;
  const log = jsonLog(clock, "off", () => {});
  return runTask({ queue: services.queue, store, clock, timers: systemTimers, log }, project, id);
}

/** Ends every thread; afterwards everything is in the database file. */
export async function closeServices(services: Services): Promise<void> {
  services.pool.close();
  services.vectors.close();
  services.embedder?.close();
  services.preparer.close();
  services.inference.close();
  await services.slices.close();
  await services.foundation.store.close();
  services.checkpoints.close();
}

/** A secret of this data directory, made at its first opening; signs cursors. */
async function instanceSecret(store: SqliteStore): Promise<string> {
  const read = () =>
    store.read((db) =>
      db.first<{ value: string }>(sql`select value from meta where name = 'secret'`)
    );
  const known = await read();
  if (known !== undefined) return known.value;
  await store.write((tx) =>
    tx.run(sql`insert into meta (name, value) values ('secret', ${randomBytes(32).toString("hex")})
      on conflict (name) do nothing`)
  );
  return (await read())!.value;
}
