/** Random requests to most endpoints, generated from a seed and the responses before them. */

import type { SeededRandom } from "../../testing/seeded_random.ts";

/** A request. */
export interface GeneratedRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly key?: string;
}

/** What requests can refer to. */
export interface Known {
  readonly memories: string[];
  readonly documents: string[];
  readonly events: string[];
  cursor: string | null;
}

const WORDS = [
  ...["heron", "otter", "reeds", "river", "dawn", "ferry", "lamp", "oak", "Ana", "Ben", "Porto"],
  ...["tea", "coffee", "bread", "moved", "likes", "bought", "yesterday", "naïve", "東京", "🦦"],
];
const USERS = ["ana", "ben", "Zoë", "*", "a/b"];
const TIMES = ["2026-01-05", "2026-02-10T10:00:00Z", "2025-12-31T23:59:59.999Z"];

/** Returns a text of a few random words. */
function text(random: SeededRandom, count = 6): string {
  return Array.from({ length: 1 + random.below(count) }, () => random.pick(WORDS)).join(" ");
}

function maybe<T>(random: SeededRandom, fields: () => T): T | Record<never, never> {
  return random.chance(0.4) ? fields() : {};
}

function scope(random: SeededRandom) {
  return {
    user_id: random.pick(USERS),
    ...maybe(random, () => ({ agent_id: random.pick(["scout", "editor"]) })),
    ...maybe(random, () => ({ run_id: `run-${random.below(4)}` })),
  };
}

function metadata(random: SeededRandom) {
  return { topic: random.pick(["birds", "food"]), level: random.below(5), ok: random.chance(0.5) };
}

function filters(random: SeededRandom): unknown {
  return random.pick<unknown>([
    { metadata: { level: { gt: 2 } } },
    { topic: "birds" },
    { OR: [{ user_id: "ana" }, { metadata: { ok: true } }] },
    { NOT: { importance: { lt: 0.5 } } },
    { created_at: { gte: "2026-03-01T00:00:10Z" } },
    { memory: { icontains: "TEA" } },
    { AND: [{ memory_type: { in: ["fact", "event"] } }, { user_id: { ne: "ben" } }] },
    { user_id: { like: "a" } },
  ]);
}

/** Generators of requests, with how often they are chosen. */
const GENERATORS: readonly (readonly [
  weight: number,
  generate: (random: SeededRandom, known: Known) => GeneratedRequest,
])[] = [
  [8, (random) => ({
    method: "POST",
    path: "/v1/memories",
    body: {
      content: text(random),
      infer: false,
      ...scope(random),
      ...maybe(random, () => ({ metadata: metadata(random) })),
      ...maybe(random, () => ({ importance: random.below(11) / 10 })),
      ...maybe(random, () => ({ event_date: random.pick(TIMES) })),
    },
  })],
  [2, (random) => ({
    method: "POST",
    path: "/v1/memories",
    body: {
      messages: Array.from({ length: 1 + random.below(5) }, () => ({
        role: random.pick(["user", "assistant"]),
        content: text(random),
      })),
      infer: false,
      ...scope(random),
    },
  })],
  [1, (random) => ({
    method: "POST",
    path: "/v1/memories",
    body: { content: text(random), ...scope(random) },
    key: `add-${random.below(20)}`,
  })],
  [3, (random, { memories }) => ({
    method: "PUT",
    path: `/v1/memories/${random.pick(memories)}`,
    body: random.pick([
      { content: text(random) },
      { importance: random.below(11) / 10 },
      { metadata: metadata(random) },
      { content: "" },
    ]),
  })],
  [2, (random, { memories }) => ({
    method: "DELETE",
    path: `/v1/memories/${random.pick(memories)}`,
  })],
  [2, (random, { memories }) => ({
    method: "GET",
    path: `/v1/memories/${random.pick([...memories, "mem_unknown", "a%00b"])}`,
  })],
  [2, (random, { memories }) => ({
    method: "GET",
    path: `/v1/memories/${random.pick(memories)}/history`,
  })],
  [1, (random, { memories }) => ({
    method: "POST",
    path: `/v1/memories/${random.pick(memories)}/feedback`,
    body: { rating: random.pick(["positive", "negative", "other"]) },
  })],
  [1, (random, { memories }) => ({
    method: random.pick(["PUT", "DELETE"])!,
    path: "/v1/memories/batch",
    body: {
      memories: Array.from({ length: 3 }, () => ({
        memory_id: random.pick([...memories, "mem_unknown"]),
        ...(random.chance(0.5) ? { content: text(random) } : {}),
      })),
    },
  })],
  [4, (random, { cursor }) => ({
    method: "GET",
    path: random.pick([
      "/v1/memories?limit=5",
      `/v1/memories?limit=5&cursor=${cursor ?? ""}`,
      "/v1/memories?user_id=ana",
      "/v1/memories?user_id=*&agent_id=scout&limit=3",
      "/v1/memories?order=asc&limit=7",
    ])!,
  })],
  [5, (random) => ({
    method: "POST",
    path: "/v1/memories/query",
    body: {
      filters: filters(random),
      limit: 1 + random.below(20),
      ...maybe(random, () => ({ count: true })),
      ...maybe(
        random,
        () => ({ sort_by: random.pick(["created_at", "updated_at", "importance"]) }),
      ),
    },
  })],
  [8, (random) => ({
    method: "POST",
    path: "/v1/memories/search",
    body: {
      query: text(random),
      ...maybe(random, () => ({ user_id: random.pick(USERS) })),
      ...maybe(random, () => ({ filters: filters(random) })),
      ...maybe(random, () => ({ trace: true })),
      ...maybe(random, () => ({ top_k: 1 + random.below(20) })),
      ...maybe(random, () => ({
        sort_by: random.pick(["relevance", "created_at", "most_accessed", "last_accessed"]),
      })),
      ...maybe(random, () => ({ strategy: random.pick(["fast", "balanced", "thorough"]) })),
    },
  })],
  [3, (random) => ({
    method: "POST",
    path: "/v1/documents",
    body: {
      content: `# ${text(random)}\n\n${text(random, 60)}\n\n## ${text(random)}\n\n${
        text(random, 60)
      }`,
      mime_type: random.pick(["text/markdown", "text/plain"]),
      ...scope(random),
      ...maybe(random, () => ({ source_key: `source-${random.below(6)}` })),
      ...maybe(random, () => ({ title: text(random, 3) })),
      ...maybe(random, () => ({ metadata: metadata(random) })),
    },
  })],
  [2, (random, { documents }) => ({
    method: "GET",
    path: random.pick([
      "/v1/documents?limit=4",
      `/v1/documents/${random.pick(documents)}`,
      `/v1/documents/${random.pick(documents)}/versions`,
      `/v1/documents/${random.pick(documents)}/chunks`,
    ])!,
  })],
  [4, (random) => ({
    method: "POST",
    path: "/v1/documents/search",
    body: {
      query: text(random),
      ...maybe(random, () => ({ user_id: random.pick(USERS) })),
      ...maybe(random, () => ({ limit: 1 + random.below(10) })),
      ...maybe(random, () => ({ trace: true })),
    },
  })],
  [1, (random, { documents }) => ({
    method: "DELETE",
    path: `/v1/documents/${random.pick(documents)}`,
  })],
  [3, (random) => ({
    method: "GET",
    path: random.pick([
      "/v1/entities",
      "/v1/entities?type=run&limit=2",
      "/v1/entities/user/ana",
      "/v1/entities/user/a%2Fb",
      "/v1/entities/agent/scout",
      "/v1/entities/user/nobody",
    ])!,
  })],
  [1, (random) => ({ method: "DELETE", path: `/v1/entities/run/run-${random.below(4)}` })],
  [1, (random, { events }) => ({
    method: "GET",
    path: random.pick([
      "/v1/events?limit=3",
      `/v1/events/${random.pick(events)}`,
      "/v1/operations?limit=3",
      "/v1/state?user_id=ana",
      "/v1/profile?user_id=ana",
      "/v1/inference/unread",
      "/v1/nothing",
    ])!,
  })],
  [1, (random) => ({
    method: "POST",
    path: "/v1/context",
    body: { query: text(random), user_id: random.pick(USERS) },
  })],
  [1, (random) => ({
    method: "POST",
    path: random.pick(["/v1/memories", "/v1/memories/search", "/v1/documents"])!,
    body: random.pick<unknown>([{}, [], { content: 1 }, { query: "" }, { content: "x", extra: 1 }]),
  })],
];

const TOTAL_WEIGHT = GENERATORS.reduce((sum, [weight]) => sum + weight, 0);

/** Returns the next request. */
export function generateRequest(random: SeededRandom, known: Known): GeneratedRequest {
  let choice = random.below(TOTAL_WEIGHT);
  for (const [weight, generate] of GENERATORS) {
    if (choice < weight) return generate(random, known);
    choice -= weight;
  }
  throw new Error("The weights don't add up");
}
