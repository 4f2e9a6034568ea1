/**
 * Finding candidates by their meaning. A small scope is compared as a whole, exactly; anything
 * larger by sign bits first, and what these find is compared exactly then.
 */

import sql, { raw, type Sql } from "sql-template-tag";
import { signBytes, similarityTo } from "../embedding/quantize.ts";
import type { Connection } from "../store/sqlite/connection.ts";
import type { Matrices } from "./matrices.ts";
import type { QueryVector } from "./request.ts";
import { type Demand, narrowestScope } from "./scope_size.ts";
import { VECTORS } from "./weights.ts";

/** A memory with its similarity to the query. */
export interface Near {
  readonly seq: number;
  readonly similarity: number;
}

/** Keeps the numbers of memories that may be shown. */
export type Keep = (seqs: readonly number[]) => readonly number[];

/** What is looked for. */
export interface VectorDemand {
  readonly project: number;
  readonly query: QueryVector;
  readonly demands: readonly Demand[];
  readonly keep: Keep;
  readonly limit: number;
}

/** The nearest memories that may be shown, nearest first. */
export function findByVector(
  connection: Connection,
  matrices: Matrices,
  looked: VectorDemand,
): Near[] {
  const { project, query, demands } = looked;
  const { scope, size } = narrowestScope(connection, project, demands);
  if (size === 0) return [];
  if (size <= VECTORS.exact) {
    return pick(
      compare(connection.all<VectorRow>(allIn(project, query.model, scope)), query),
      looked,
    );
  }
  const total = scope === null ? size : narrowestScope(connection, project, []).size;
  const width = signBytes(query.vector.length);
  const matrix = matrices.of(project, query.model, width, total);
  if (matrix === null) return [];
  const allowed = scope !== null && size <= VECTORS.masked
    ? numbersIn(connection, project, scope)
    : null;
  // Without a mask the scope thins the candidates out by its share.
  const share = allowed === null ? size / total : 1;
  let count = Math.ceil((total > VECTORS.many ? VECTORS.wide : VECTORS.nearest) / share);
  for (;;) {
    const found = matrix.nearest(query.signs, count, allowed);
    const near = pick(similarities(connection, project, query, found), looked);
    if (near.length >= looked.limit || count >= Math.min(matrix.rows, VECTORS.most)) return near;
    count *= 4;
  }
}

/** Similarities of certain memories, those without a vector left out. */
export function similarities(
  connection: Connection,
  project: number,
  query: QueryVector,
  seqs: readonly number[],
): Near[] {
  return compare(
    connection.all<VectorRow>(
      sql`select seq, vector from json_each(${JSON.stringify(seqs)}) as wanted
      cross join memory_vectors on project = ${project} and model = ${query.model}
        and seq = wanted.value`,
    ),
    query,
  );
}

interface VectorRow {
  readonly seq: number;
  readonly vector: Uint8Array;
}

function compare(rows: Iterable<VectorRow>, query: QueryVector): Near[] {
  const near: Near[] = [];
  for (const { seq, vector } of rows) {
    near.push({ seq, similarity: similarityTo(query.vector, vector) });
  }
  return near.sort((a, b) => b.similarity - a.similarity || b.seq - a.seq);
}

/** Every vector of a scope, or of the project. */
function allIn(project: number, model: number, scope: Demand | null): Sql {
  if (scope === null) {
    return sql`select seq, vector from memory_vectors
      where project = ${project} and model = ${model}`;
  }
  return sql`select memories.seq, vector from memories cross join memory_vectors as vectors
      on vectors.project = memories.project and vectors.model = ${model}
        and vectors.seq = memories.seq
    where memories.project = ${project} and memories.${raw(scope.column)} = ${scope.value}`;
}

function numbersIn(connection: Connection, project: number, scope: Demand): Set<number> {
  const rows = connection.iterate<{ seq: number }>(sql`select seq from memories
    where project = ${project} and ${raw(scope.column)} = ${scope.value}`);
  const numbers = new Set<number>();
  for (const { seq } of rows) numbers.add(seq);
  return numbers;
}

/** The first ones that may be shown; looked through piece by piece, since most searches keep all. */
function pick(near: readonly Near[], { keep, limit }: VectorDemand): Near[] {
  const picked: Near[] = [];
  for (let start = 0; start < near.length && picked.length < limit; start += limit) {
    const piece = near.slice(start, start + limit);
    const kept = new Set(keep(piece.map(({ seq }) => seq)));
    picked.push(...piece.filter(({ seq }) => kept.has(seq)));
  }
  return picked.slice(0, limit);
}
