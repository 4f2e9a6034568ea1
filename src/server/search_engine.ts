/** Opens the search engine: its workers, and the embedder if search uses vectors. */

import { ActivityService } from "../activity/service.ts";
import type { AppContext } from "../contract/app_context.ts";
import { openEmbedder } from "../embedding/open.ts";
import { systemTimers } from "../kernel/timers.ts";
import { AccessLog } from "../memories/history/access_log.ts";
import { divideSearchMemory } from "../search/search_memory.ts";
import { CurrentEmbedder } from "../search/vectors/current_embedder.ts";
import { readEmbedderChoice } from "../search/vectors/embedder_choice.ts";
import { QueryEmbedder } from "../search/vectors/query_embedder.ts";
import { VectorHelper } from "../search/vectors/vector_helper.ts";
import { VectorProjection } from "../search/vectors/vector_projection.ts";
import { VectorWriter } from "../search/vectors/vector_writer.ts";
import { openSearchPool } from "../search/workers/pool.ts";
import type { ServerConfig } from "./config.ts";
import type { Engine } from "./engine.ts";

type SearchOptions = Pick<ServerConfig, "embedder" | "withEmbedder" | "searchMemoryBytes">;

/** Creates what memory and document search share. */
export function searchEngine(appContext: AppContext, engine: Engine, options: SearchOptions) {
  const { store } = appContext;
  const opened = openEmbedder(options.embedder);
  const embedder = opened && new CurrentEmbedder(opened);
  const vectors = new QueryEmbedder(store, embedder);
  const searchMemory = divideSearchMemory(
    options.searchMemoryBytes,
    navigator.hardwareConcurrency,
  );
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
    searchMemory,
    pool: openSearchPool(engine.ground, searchMemory),
    access: new AccessLog(appContext),
    activity: new ActivityService(appContext),
  };
}

/** What memory and document search share. */
export type SearchEngine = ReturnType<typeof searchEngine>;
