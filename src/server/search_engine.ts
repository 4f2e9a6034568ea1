/** Opens the search engine: its workers, and the embedder if search uses vectors. */

import { ActivityService } from "../activity/service.ts";
import type { AppContext } from "../contract/app_context.ts";
import { openEmbedder } from "../embedding/open.ts";
import { systemTimers } from "../kernel/timers.ts";
import { AccessLog } from "../memories/access_log.ts";
import { CurrentEmbedder } from "../search/vectors/current_embedder.ts";
import { readEmbedderChoice } from "../search/vectors/embedder_choice.ts";
import { QueryEmbedder } from "../search/vectors/query_embedder.ts";
import { VectorHelper } from "../search/vectors/vector_helper.ts";
import { VectorProjection } from "../search/vectors/vector_projection.ts";
import { VectorWriter } from "../search/vectors/vector_writer.ts";
import { openSearchPool } from "../search/workers/pool.ts";
import type { ServerConfig } from "./config.ts";
import type { Engine } from "./engine.ts";

/** Number of concurrent searches. Leaves one core to the event loop and the writer. */
const SEARCH_WORKERS = Math.max(1, navigator.hardwareConcurrency - 1);

type SearchOptions = Pick<ServerConfig, "embedder" | "withEmbedder" | "searchMemoryBytes">;

/** Creates what memory and document search share. */
export function searchEngine(appContext: AppContext, engine: Engine, options: SearchOptions) {
  const { store } = appContext;
  const opened = openEmbedder(options.embedder);
  const embedder = opened && new CurrentEmbedder(opened);
  const vectors = new QueryEmbedder(store, embedder);
  const memoryBytes = options.searchMemoryBytes;
  let name = options.embedder.name;
  const replaceEmbedder = async () => {
    const choice = await store.read(readEmbedderChoice);
    if (choice === null || choice === name || options.withEmbedder === undefined) return;
    name = choice;
    const next = openEmbedder(options.withEmbedder(choice).embedder)!;
    vectors.keepPrevious(embedder!.replace(next));
  };
  const { membership } = engine;
  const writer = new VectorWriter(store);
  const embedding = embedder && { store, embedder, timers: systemTimers, writer, replaceEmbedder };
  const projection = embedding && new VectorProjection(embedding);
  return {
    embedder,
    vectors,
    projection,
    vectorHelper: embedding && membership &&
      new VectorHelper({ ...embedding, membership, isLeading: () => projection!.started }),
    pool: openSearchPool(engine.ground, { workers: SEARCH_WORKERS, memoryBytes }),
    access: new AccessLog(appContext),
    activity: new ActivityService(appContext),
  };
}

/** What memory and document search share. */
export type SearchEngine = ReturnType<typeof searchEngine>;
