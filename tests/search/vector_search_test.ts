/** Measures vector search recall in whole projects, in scopes, and for rare matches. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { normalize, quantize, toSignBits } from "../../src/embedding/quantize.ts";
import { VectorCache } from "../../src/search/vectors/vector_cache.ts";
import type { QueryVector } from "../../src/search/query/memory_request.ts";
import { VectorScorer, type VectorSource } from "../../src/search/vectors/vector_search.ts";
import { VECTORS } from "../../src/search/ranking/weights.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const ROWS = 20_000;
const DIMS = 128;
const MODEL = 1;

/**
 * Returns a generator of vectors around a few hundred centers, much like texts about a few hundred
 * subjects.
 */
function clustered(random: SeededRandom): () => Float32Array {
  const draw = () => random.next() + random.next() + random.next() - 1.5;
  const centers = Array.from({ length: 200 }, () => Float32Array.from({ length: DIMS }, draw));
  return () => {
    const center = random.pick(centers)!;
    return normalize(center.map((each) => each + 0.8 * draw()));
  };
}

function asQuery(vector: Float32Array): QueryVector {
  return {
    model: MODEL,
    vector,
    signs: toSignBits(vector, null),
    weight: { memories: 1, documents: 1 },
    similarity: { none: 0.2, same: 0.8 },
  };
}

async function withVectors(
  work: (db: Connection, insert: (seq: number) => void, next: () => Float32Array) => void,
): Promise<void> {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  const db = new Connection(store.path);
  const next = clustered(new SeededRandom(3));
  const insert = (seq: number) => {
    const vector = next();
    db.run(sql`insert into vectors values (1, ${MODEL}, 0, ${seq}, ${quantize(vector)})`);
    db.run(sql`insert into vector_signs (project, model, kind, seq, signs)
      values (1, ${MODEL}, 0, ${seq}, ${toSignBits(vector, null)})`);
  };
  try {
    db.exec("begin");
    for (let seq = 1; seq <= ROWS; seq++) insert(seq);
    db.exec("commit");
    work(db, insert, next);
  } finally {
    db.close();
    await store.close();
    await rm(directory);
  }
}

Deno.test("VectorScorer.nearest() agrees with an exact comparison, for scopes of any size", async () => {
  await withVectors((db, insert, next) => {
    const cache = new VectorCache(2 ** 26);
    const project: VectorSource = { project: 1, kind: 0, total: ROWS, scope: null };
    const scoped = (seqs: readonly number[]): VectorSource => ({
      ...project,
      scope: { seqs: () => seqs, size: seqs.length },
    });
    const find = (source: VectorSource, query: QueryVector, limit: number) =>
      new VectorScorer(db, cache, source, query)
        .nearest({ keep: (seqs) => seqs, limit })
        .map(({ seq }) => seq);
    const allSeqs = Array.from({ length: ROWS }, (_, index) => index + 1);
    const subset = allSeqs.filter((seq) => seq % 7 === 0);
    const rare = [4_321, 17_890];
    let [found, wanted] = [0, 0];
    for (let each = 0; each < 10; each++) {
      const query = asQuery(next());
      for (const [source, seqs] of [[project, allSeqs], [scoped(subset), subset]] as const) {
        const matches = find(source, query, 10);
        const nearest = new Set(exact(db, query, seqs, 10));
        found += matches.filter((seq) => nearest.has(seq)).length;
        wanted += 10;
      }
      // These are one in ten thousand, and all of them are found.
      deepStrictEqual(new Set(find(scoped(rare), query, 10)), new Set(rare));
    }
    ok(subset.length > VECTORS.maxExactRecords);
    ok(found / wanted > 0.97, `recall ${found / wanted}`);

    // Finds vectors added later, too.
    insert(ROWS + 1);
    strictEqual(find(project, asQuery(vectorOf(db, ROWS + 1)), 1)[0], ROWS + 1);
  });
});

Deno.test("VectorScorer.similarities() returns the same values from the table, from memory, and from both", async () => {
  await withVectors((db, _insert, next) => {
    const source: VectorSource = { project: 1, kind: 0, total: ROWS, scope: null };
    const seqs = Array.from({ length: 500 }, (_, index) => index * 40 + 1);
    const query = asQuery(next());
    const cache = new VectorCache(2 ** 26);
    const compare = (among: VectorCache) =>
      new VectorScorer(db, among, source, query).similarities(seqs);
    const fromTable = compare(cache);
    strictEqual(fromTable.filter(Number.isFinite).length, seqs.length);
    cache.fill();
    deepStrictEqual(compare(cache), fromTable);
    while (cache.fill());
    deepStrictEqual(compare(cache), fromTable);
    // Without memory to cache them in, all vectors are read from the table.
    deepStrictEqual(compare(new VectorCache(0)), fromTable);
  });
});

Deno.test("VectorScorer.similarities() ignores the old vector of a rewritten memory", async () => {
  await withVectors((db, insert) => {
    const source: VectorSource = { project: 1, kind: 0, total: ROWS, scope: null };
    const cache = new VectorCache(2 ** 26);
    const seq = 77;
    const query = asQuery(vectorOf(db, seq));
    const similarity = () => new VectorScorer(db, cache, source, query).similarities([seq])[0]!;
    strictEqual(Math.round(similarity() * 100), 100);
    while (cache.fill());
    addMemory(db, seq);
    db.run(sql`update memories set memory = 'something else' where seq = ${seq}`);
    db.run(sql`insert into journal (project, kind, record_id, change, at)
      values (1, 'memory', 'mem_77', 'UPDATE', '')`);
    strictEqual(similarity(), NaN);
    insert(seq);
    ok(similarity() < 0.9);
  });
});

/** Adds the rows for a memory with a vector, plus its project and model. */
function addMemory(db: Connection, seq: number): void {
  db.run(sql`insert into embedding_models (number, id, dims) values (${MODEL}, 'a', ${DIMS})`);
  db.run(sql`insert into projects (number, id, name, created_at) values (1, 'a', 'a', '')`);
  db.run(sql`insert into memories
    (seq, project, id, memory_type, importance, created_at, updated_at, terms, memory)
    values (${seq}, 1, ${`mem_${seq}`}, 'fact', 0.5, '', '', x'', 'something')`);
}

function vectorOf(db: Connection, seq: number): Float32Array {
  const { vector } = db.first<{ vector: Uint8Array }>(
    sql`select vector from vectors where project = 1 and model = 1 and kind = 0 and seq = ${seq}`,
  )!;
  return normalize(Float32Array.from(new Int8Array(vector.slice().buffer)));
}

/** Returns the nearest of the given rows by comparing them all. */
function exact(db: Connection, query: QueryVector, seqs: readonly number[], limit: number) {
  const source: VectorSource = { project: 1, kind: 0, total: ROWS, scope: null };
  const known = new VectorScorer(db, new VectorCache(0), source, query).similarities(seqs);
  return seqs.map((seq, at) => ({ seq, similarity: known[at]! }))
    .sort((a, b) => b.similarity - a.similarity).slice(0, limit).map(({ seq }) => seq);
}
