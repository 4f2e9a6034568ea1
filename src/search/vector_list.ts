/**
 * Finding candidates by their meaning. A small scope is compared as a whole, exactly; anything
 * larger by sign bits first, and what these find is compared exactly then.
 */

import sql, { type Sql } from "sql-template-tag";
import { signBytes, similarityTo } from "../embedding/quantize.ts";
import type { Connection } from "../store/sqlite/connection.ts";
import type { Matrices } from "./matrices.ts";
import type { QueryVector } from "./request.ts";
import type { VectorKind } from "./vector_store.ts";
import { VECTORS } from "./weights.ts";

/** A record with its similarity to the query. */
export interface Near {
  readonly seq: number;
  readonly similarity: number;
}

/** The vectors to look among. */
export interface VectorSource {
  readonly project: number;
  readonly kind: VectorKind;
  /** How many records of the kind the project has. */
  readonly total: number;
  /** Selects the `seq` of what may be found, and how many these are at most; null for all. */
  readonly scope: { readonly numbers: Sql; readonly size: number } | null;
}

/** What is looked for. */
export interface VectorDemand {
  readonly query: QueryVector;
  /** Keeps the numbers of those that may be shown. */
  readonly keep: (seqs: readonly number[]) => readonly number[];
  readonly limit: number;
}

/** The nearest records that may be shown, nearest first. */
export function findByVector(
  connection: Connection,
  matrices: Matrices,
  source: VectorSource,
  demand: VectorDemand,
): Near[] {
  const { total, scope } = source;
  const { query, limit } = demand;
  const size = scope?.size ?? total;
  if (size === 0) return [];
  if (size <= VECTORS.exact) return pick(compareAll(connection, source, query), demand);
  const matrix = matrices.of(source, query.model, signBytes(query.vector.length));
  if (matrix === null) return [];
  const allowed = scope !== null && size <= VECTORS.masked ? numbersOf(connection, scope) : null;
  // Without a mask the scope thins the candidates out by its share.
  const share = allowed === null ? size / total : 1;
  let count = Math.ceil((total > VECTORS.many ? VECTORS.wide : VECTORS.nearest) / share);
  for (;;) {
    const found = matrix.nearest(query.signs, count, allowed);
    const near = pick(similarities(connection, source, query, found), demand);
    const enough = near.length >= limit || count >= Math.min(matrix.rows, VECTORS.most);
    if (enough) return near;
    count *= 4;
  }
}

/** Similarities of certain records, those without a vector left out; greatest first. */
export function similarities(
  connection: Connection,
  { project, kind }: Pick<VectorSource, "project" | "kind">,
  query: QueryVector,
  seqs: readonly number[],
): Near[] {
  const rows = connection.all<VectorRow>(sql`select seq, vector
    from json_each(${JSON.stringify(seqs)}) as wanted
    cross join vectors on project = ${project} and model = ${query.model} and kind = ${kind}
      and seq = wanted.value`);
  return compare(rows, query);
}

interface VectorRow {
  readonly seq: number;
  readonly vector: Uint8Array;
}

/** Every vector of the scope. */
function compareAll(
  connection: Connection,
  { project, kind, scope }: VectorSource,
  query: QueryVector,
): Near[] {
  if (scope === null) {
    return compare(
      connection.all<VectorRow>(sql`select seq, vector from vectors
        where project = ${project} and model = ${query.model} and kind = ${kind}`),
      query,
    );
  }
  return compare(
    connection.all<VectorRow>(sql`select vectors.seq, vector from (${scope.numbers}) as scoped
      cross join vectors on project = ${project} and model = ${query.model} and kind = ${kind}
        and vectors.seq = scoped.seq`),
    query,
  );
}

function compare(rows: readonly VectorRow[], query: QueryVector): Near[] {
  return rows.map(({ seq, vector }) => ({ seq, similarity: similarityTo(query.vector, vector) }))
    .sort((a, b) => b.similarity - a.similarity || b.seq - a.seq);
}

function numbersOf(connection: Connection, { numbers }: { readonly numbers: Sql }): Set<number> {
  return new Set(connection.all<{ seq: number }>(numbers).map(({ seq }) => seq));
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
