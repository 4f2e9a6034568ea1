/**
 * Writes vectors for generated memories straight to the tables. Embedding a million texts would
 * take hours, and search latency depends on how many vectors there are, not on what they mean.
 */

import sql from "sql-template-tag";
import { BUILTIN_MODELS } from "../../src/embedding/builtin_models.ts";
import { toSignBits } from "../../src/embedding/quantize.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";

/** Size of the random data. Each vector is a slice at a random offset. */
const NOISE_BYTES = 1 << 20;

/** Writes a random default-model vector for every memory, as if they'd all been embedded. */
export function writeVectors(directory: string): void {
  const { id, dims } = BUILTIN_MODELS.minilm;
  const random = new SeededRandom(dims);
  const noise = Int8Array.from({ length: NOISE_BYTES }, () => random.below(255) - 127);
  const connection = new Connection(databasePath(directory));
  try {
    connection.exec("begin");
    const model = connection.insert(sql`insert into embedding_models (id, dims, position, serving)
      values (${id}, ${dims}, (select max(seq) from journal), 1)`);
    for (let after = 0;;) {
      const rows = connection.all<{ seq: number; project: number }>(sql`
        select seq, project from memories where seq > ${after} order by seq limit 10000`);
      for (const { seq, project } of rows) {
        const offset = random.below(NOISE_BYTES - dims);
        const vector = noise.slice(offset, offset + dims);
        connection.run(sql`insert into vectors (project, model, kind, seq, vector)
          values (${project}, ${model}, 0, ${seq}, ${new Uint8Array(vector.buffer)})`);
        connection.run(sql`insert into vector_signs (project, model, kind, seq, signs)
          values (${project}, ${model}, 0, ${seq}, ${
          toSignBits(Float32Array.from(vector), null)
        })`);
      }
      if (rows.length === 0) break;
      after = rows.at(-1)!.seq;
    }
    connection.exec("commit");
  } finally {
    connection.close();
  }
}
