/** Finding by vectors: whole projects, scopes and rare matches keep their recall. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { normalized, quantize, signsOf } from "../../src/embedding/quantize.ts";
import { Matrices } from "../../src/search/matrices.ts";
import type { QueryVector } from "../../src/search/request.ts";
import { findByVector, type VectorSource } from "../../src/search/vector_list.ts";
import { VECTORS } from "../../src/search/weights.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { SeededRandom } from "../random.ts";
import { makeTempDirSync, rm } from "../temporary.ts";

const ROWS = 20_000;
const DIMS = 128;
const MODEL = 1;

/** Vectors around a few hundred centers, as texts about a few hundred subjects have them. */
function clustered(random: SeededRandom): () => Float32Array {
  const draw = () => random.next() + random.next() + random.next() - 1.5;
  const centers = Array.from({ length: 200 }, () => Float32Array.from({ length: DIMS }, draw));
  return () => {
    const center = random.pick(centers)!;
    return normalized(center.map((each) => each + 0.8 * draw()));
  };
}

function asQuery(vector: Float32Array): QueryVector {
  return {
    model: MODEL,
    vector,
    signs: signsOf(vector, null),
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
      values (1, ${MODEL}, 0, ${seq}, ${signsOf(vector, null)})`);
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

Deno.test("vectors find what an exact comparison finds, however few may be found", async () => {
  await withVectors((db, insert, next) => {
    const matrices = new Matrices(db, 2 ** 26);
    const whole: VectorSource = { project: 1, kind: 0, total: ROWS, scope: null };
    const scoped = (seqs: readonly number[]): VectorSource => ({
      ...whole,
      scope: {
        numbers: sql`select value as seq from json_each(${JSON.stringify(seqs)})`,
        size: seqs.length,
      },
    });
    const find = (source: VectorSource, query: QueryVector, limit: number) =>
      findByVector(db, matrices, source, { query, keep: (seqs) => seqs, limit })
        .map(({ seq }) => seq);
    const everything = Array.from({ length: ROWS }, (_, index) => index + 1);
    const tenth = everything.filter((seq) => seq % 7 === 0);
    const rare = [4_321, 17_890];
    let [found, wanted] = [0, 0];
    for (let each = 0; each < 10; each++) {
      const query = asQuery(next());
      for (const [source, seqs] of [[whole, everything], [scoped(tenth), tenth]] as const) {
        const near = find(source, query, 10);
        const nearest = new Set(exact(db, query, seqs, 10));
        found += near.filter((seq) => nearest.has(seq)).length;
        wanted += 10;
      }
      // One in ten thousand: every one of them is found.
      deepStrictEqual(new Set(find(scoped(rare), query, 10)), new Set(rare));
    }
    ok(tenth.length > VECTORS.exact);
    ok(found / wanted > 0.97, `recall ${found / wanted}`);

    // What is added later is found, what is removed is not.
    insert(ROWS + 1);
    const added = db.first<{ vector: Uint8Array }>(
      sql`select vector from vectors where project = 1 and model = 1 and kind = 0
        and seq = ${ROWS + 1}`,
    )!.vector;
    const same = asQuery(normalized(Float32Array.from(new Int8Array(added.slice().buffer))));
    strictEqual(find(whole, same, 1)[0], ROWS + 1);
    db.run(sql`delete from vectors where project = 1 and model = 1 and kind = 0
      and seq = ${ROWS + 1}`);
    ok(!find(whole, same, 10).includes(ROWS + 1));
    deepStrictEqual(
      db.all(sql`select seq from vector_signs where project = 1 and model = 1 and kind = 0
        and seq = ${ROWS + 1}`),
      [],
    );
  });
});

/** The nearest of certain rows, each compared. */
function exact(db: Connection, query: QueryVector, seqs: readonly number[], limit: number) {
  const source: VectorSource = { project: 1, kind: 0, total: 0, scope: null };
  const among = new Set(seqs);
  const all: { seq: number; similarity: number }[] = [];
  for (let start = 0; start < ROWS; start += VECTORS.exact) {
    const piece = seqs.slice(start, start + VECTORS.exact);
    const scope = {
      numbers: sql`select value as seq from json_each(${JSON.stringify(piece)})`,
      size: piece.length,
    };
    const keep = (kept: readonly number[]) => kept.filter((seq) => among.has(seq));
    all.push(
      ...findByVector(db, new Matrices(db, 0), { ...source, scope }, { query, keep, limit }),
    );
  }
  return all.sort((a, b) => b.similarity - a.similarity).slice(0, limit).map(({ seq }) => seq);
}
