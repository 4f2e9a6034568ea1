/** The house, put together: one store and every service on it, for the server and the verbs. */

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import sql from "sql-template-tag";
import { ActivityService } from "../activity/service.ts";
import type { Foundation } from "../contract/foundation.ts";
import { DerivedFollower } from "../derived/follow.ts";
import { DerivedService } from "../derived/service.ts";
import { Preparer } from "../documents/preparer.ts";
import { Slices } from "../documents/slices.ts";
import { DocumentSearchService } from "../documents/search_service.ts";
import { DocumentService } from "../documents/service.ts";
import { documentPurge } from "../documents/purge.ts";
import { documentSections } from "../documents/snapshot.ts";
import { extractHandler } from "../uploads/extract.ts";
import { uploadJobs } from "../uploads/maintenance.ts";
import { uploadPurge } from "../uploads/purge.ts";
import { UploadService } from "../uploads/service.ts";
import { assetAssociations, sourceAssetSection } from "../uploads/snapshot.ts";
import { entitySection } from "../entities/snapshot.ts";
import type { Embedder } from "../embedding/embedder.ts";
import { type EmbedderConfig, NO_EMBEDDER, openEmbedder } from "../embedding/open.ts";
import { EntityService } from "../entities/service.ts";
import { episodeSection } from "../events/snapshot.ts";
import { EventService } from "../events/service.ts";
import { HealthService } from "../health/service.ts";
import { BUILTIN, type InferenceConfig, InferenceService } from "../inference/service.ts";
import { FAILED_KEYS } from "../http/authenticate.ts";
import { systemClock } from "../kernel/clock.ts";
import { Cursors } from "../kernel/cursor.ts";
import { Failures } from "../kernel/failures.ts";
import { systemRandom, ulidIds } from "../kernel/ids.ts";
import { jsonLog } from "../kernel/log.ts";
import { systemTimers } from "../kernel/timers.ts";
import { AccessLog } from "../memories/access.ts";
import { reindexChunksIfOutdated } from "../documents/reindex.ts";
import { reindexIfOutdated } from "../memories/reindex.ts";
import { BatchService } from "../memories/batch.ts";
import { FeedbackService } from "../memories/feedback.ts";
import { MemorySearchService } from "../memories/search_service.ts";
import { memoryPurge } from "../memories/purge.ts";
import { RefinedMemories } from "../memories/refined.ts";
import { MemoryService } from "../memories/service.ts";
import { hostedHandler } from "../hosted/metered_tasks.ts";
import { Ledger } from "../hosted/ledger.ts";
import { WebhookService } from "../hosted/webhooks.ts";
import { readLocalText } from "../uploads/local_text.ts";
import type { Variant } from "./config.ts";
import { memoryAssociations, memorySections } from "../memories/snapshot.ts";
import { associationsSection } from "../contract/associations.ts";
import { SnapshotService } from "../snapshots/service.ts";
import { SCHEMA_VERSION } from "../store/sqlite/migrations.ts";
import { OperationService } from "../operations/service.ts";
import { KeyService } from "../projects/keys.ts";
import { purgeHandler } from "../projects/purge.ts";
import { ProjectService } from "../projects/service.ts";
import { openSearchPool, type SearchPool } from "../search/pool.ts";
import { Blobs } from "../store/blobs.ts";
import { VectorProjection } from "../search/vector_projection.ts";
import { QueryVectors } from "../search/query_vectors.ts";
import { LogThread } from "../store/sqlite/log.ts";
import { SqliteStore } from "../store/sqlite/store.ts";
import { clearInChunks, houseJobs, maintenanceHandler } from "../tasks/maintenance.ts";
import type { TaskRow } from "../tasks/repository.ts";
import { runTask } from "../tasks/run_task.ts";
import { TaskQueue } from "../tasks/queue.ts";

/** Searches that run at the same time: one core stays with the event loop and the writer. */
const SEARCH_WORKERS = Math.max(1, navigator.hardwareConcurrency - 1);

/** Everything that a data directory can do. */
export interface House {
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
  readonly logThread: LogThread;
  readonly uploads: UploadService;
  readonly pool: SearchPool;
  readonly vectors: QueryVectors;
  /** Null for a house that searches by words alone. */
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

/** What a house is told beside its directory. */
export interface HouseOptions {
  readonly embedder: EmbedderConfig;
  /** Bytes that searches may take for what they hold in memory. */
  readonly searchMemoryBytes: number;
  readonly inference: InferenceConfig;
  /** Self-hosted when not given. */
  readonly variant?: Variant;
}

/** Opens a data directory and moves in. Management verbs need no embedder. */
export async function openHouse(
  directory: string,
  options: HouseOptions = { embedder: NO_EMBEDDER, searchMemoryBytes: 0, inference: BUILTIN },
): Promise<House> {
  const [clock, random] = [systemClock(), systemRandom()];
  const store = new SqliteStore(directory);
  const secret = await instanceSecret(store);
  const foundation: Foundation = {
    store,
    blobs: new Blobs(join(directory, "blobs"), random),
    clock,
    ids: ulidIds(clock, random),
    cursors: new Cursors(secret),
  };
  await reindexIfOutdated(store);
  await reindexChunksIfOutdated(store);
  const memories = new MemoryService(foundation);
  const refined = new RefinedMemories(foundation);
  const inference = new InferenceService(foundation, refined, options.inference);
  const derived = new DerivedService(foundation);
  const follower = new DerivedFollower(foundation, (texts) => inference.claims(texts));
  const access = new AccessLog(foundation);
  const activity = new ActivityService(foundation);
  const embedder = openEmbedder(options.embedder);
  const vectors = new QueryVectors(store, embedder);
  const projection = embedder === null
    ? null
    : new VectorProjection({ store, embedder, timers: systemTimers });
  const pool = openSearchPool(store.path, {
    workers: SEARCH_WORKERS,
    memoryBytes: options.searchMemoryBytes,
  });
  const preparer = new Preparer();
  const slices = new Slices(store, store.path);
  const logThread = new LogThread(store.path);
  store.keepLogBy(() => logThread.copy());
  const bootId = randomBytes(16).toString("hex");
  const queue = new TaskQueue({ store, clock, random, bootId });
  const batches = new BatchService(foundation, memories);
  const documents = new DocumentService(foundation, preparer, slices);
  const workDirectory = join(directory, "extraction");
  const uploads = new UploadService(foundation, queue, workDirectory);
  const { removal } = uploads;
  documents.accompany(uploads);
  const sections = [
    ...memorySections(foundation),
    associationsSection([memoryAssociations, assetAssociations]),
    entitySection,
    episodeSection,
    ...documentSections(foundation, preparer),
    sourceAssetSection,
  ];
  const snapshots = new SnapshotService(foundation, sections, SCHEMA_VERSION);
  const ledger = new Ledger(clock);
  const handlers = [
    ...batches.handlers(),
    inference.handler(),
    ...follower.handlers(),
    ...snapshots.handlers(),
    extractHandler({
      foundation,
      documents,
      removal,
      ...options.variant === "desktop" ? { read: readLocalText } : {},
    }),
    purgeHandler(foundation, [memoryPurge(store), documentPurge(store), uploadPurge(removal)]),
    maintenanceHandler([
      ...houseJobs(foundation),
      {
        name: "activity",
        run: (context) => clearInChunks(context, (tx, count) => activity.forgetOld(tx, count)),
      },
      ...uploadJobs({ store, clock, queue, removal, workDirectory }),
    ]),
  ];
  queue.register(
    ...options.variant === "hosted"
      ? handlers.map((handler) => hostedHandler(handler, ledger, clock))
      : handlers,
  );
  return {
    foundation,
    projects: new ProjectService(
      foundation,
      (tx, project, on) => follower.switched(tx, project, on),
    ),
    keys: new KeyService(foundation),
    failedKeys: new Failures(clock, FAILED_KEYS),
    memories,
    inference,
    derived,
    follower,
    feedback: new FeedbackService(foundation),
    access,
    activity,
    memorySearch: new MemorySearchService(
      foundation,
      pool,
      vectors,
      access,
      (project, scope, ids) => derived.chains(project, scope, ids),
      activity,
    ),
    documents,
    documentSearch: new DocumentSearchService(foundation, pool, vectors, activity),
    preparer,
    slices,
    logThread,
    uploads,
    pool,
    vectors,
    embedder,
    projection,
    batches,
    entities: new EntityService(foundation, memories),
    queue,
    snapshots,
    operations: new OperationService(foundation, queue),
    events: new EventService(foundation),
    health: new HealthService(
      foundation,
      () => inference.health(),
      { embedder, projection },
      (db, project) => derived.lag(db, project),
    ),
    ledger,
    webhooks: new WebhookService(foundation),
  };
}

/** Runs a task of this house to its end, for a verb that waits for it. */
export function runHere(house: House, project: number, id: string): Promise<TaskRow> {
  const { store, clock } = house.foundation;
  const log = jsonLog(clock, "off", () => {});
  return runTask({ queue: house.queue, store, clock, timers: systemTimers, log }, project, id);
}

/** Moves out: nothing is left running, everything is in the database file. */
export async function closeHouse(house: House): Promise<void> {
  house.pool.close();
  house.vectors.close();
  house.embedder?.close();
  house.preparer.close();
  house.inference.close();
  await house.slices.close();
  await house.foundation.store.close();
  house.logThread.close();
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
