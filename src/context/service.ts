/**
 * Builds a context for a prompt: what is known about a scope and relevant to a query, in one text
 * with a limited length.
 */

import { scopeOf } from "../contract/fields.ts";
import type { DerivedService, KnownFacts } from "../derived/service.ts";
import type { DocumentSearchService, Passage } from "../documents/search_service.ts";
import { ApiError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { searchBody } from "../memories/search/schema.ts";
import type { MemorySearchService } from "../memories/search/service.ts";
import { type Budget, inOrderOfUse, pack } from "./packing.ts";
import { QueryTerms } from "./query_terms.ts";
import {
  type ContextBody,
  type ContextItem,
  type ContextResponse,
  partsOf,
  SCOPED_PARTS,
} from "./schema.ts";

/** Numbers of candidates. More than fit into the default budget. */
const CANDIDATES = { memories: 30, state: 100, passages: 10, profile: 30 };

/** Dependencies of `ContextService`. */
export interface ContextDeps {
  readonly memorySearch: Pick<MemorySearchService, "search">;
  readonly documentSearch: Pick<DocumentSearchService, "passages">;
  readonly derived: Pick<DerivedService, "known">;
}

/** Builds contexts. */
export class ContextService {
  readonly #deps: ContextDeps;

  constructor(deps: ContextDeps) {
    this.#deps = deps;
  }

  /** Returns the most useful items that fit into the budget. */
  async build(project: number, body: ContextBody): Promise<ContextResponse> {
    const parts = partsOf(body);
    const [memories, passages, known] = await Promise.all([
      parts.has("memories") ? this.#memories(project, body) : [],
      parts.has("passages") ? this.#passages(project, body) : [],
      SCOPED_PARTS.some((part) => parts.has(part)) ? this.#known(project, body) : NOTHING_KNOWN,
    ]);
    const terms = new QueryTerms(body.query);
    const candidates = inOrderOfUse([
      memories,
      "code" in known || !parts.has("state") ? [] : stateItems(known, terms, memories),
      "code" in known || !parts.has("profile") ? [] : profileItems(known, terms),
      passages,
    ]);
    const { items, text, tokens, overBudget } = pack(candidates, body.format, budgetOf(body));
    return {
      text,
      format: body.format,
      tokens,
      items: [...items],
      left_out: {
        over_budget: overBudget,
        unavailable: "code" in known
          ? SCOPED_PARTS.filter((part) => parts.has(part)).map((part) => ({
            part,
            code: known.code,
          }))
          : [],
      },
    };
  }

  async #memories(project: number, body: ContextBody): Promise<ContextItem[]> {
    const search = { query: body.query, ...scopeOf(body), top_k: CANDIDATES.memories };
    const { results } = await this.#deps.memorySearch.search(project, searchBody.parse(search));
    return results.map((memory) => ({
      kind: "memory",
      id: memory.id,
      text: withEnd(oneLine(memory.memory), memory.valid_to),
      date: memory.event_date ?? memory.created_at,
      score: memory.score,
      source_ids: [memory.id],
      citation: null,
    }));
  }

  async #passages(project: number, body: ContextBody): Promise<ContextItem[]> {
    const passages = await this.#deps.documentSearch.passages(project, {
      query: body.query,
      ...scopeOf(body),
      limit: CANDIDATES.passages,
    });
    return passages.map(passageItem);
  }

  /** Returns what is known, or why that can't be read right now. */
  async #known(project: number, body: ContextBody): Promise<KnownFacts | { code: string }> {
    try {
      return await this.#deps.derived.known(project, scopeOf(body));
    } catch (error) {
      const isUnavailable = error instanceof ApiError &&
        (error.code === "DERIVATION_DISABLED" || error.code === "PROJECTION_NOT_BUILT");
      if (!isUnavailable) throw error;
      return { code: error.code };
    }
  }
}

const NOTHING_KNOWN: KnownFacts = { state: [], profile: [] };

function budgetOf({ max_tokens, max_chars }: ContextBody): Budget {
  const tokens = max_tokens ??
    (max_chars === undefined ? LIMITS.contextTokensDefault : Number.POSITIVE_INFINITY);
  return { tokens, characters: max_chars ?? Number.POSITIVE_INFINITY };
}

function passageItem({ chunk, version, score }: Passage): ContextItem {
  return {
    kind: "passage",
    id: chunk.id,
    text: chunk.content,
    date: version.created_at,
    score,
    source_ids: [chunk.document_id],
    citation: {
      document_id: chunk.document_id,
      source_key: chunk.source_key,
      title: version.title,
      start_byte: chunk.start_byte,
      end_byte: chunk.end_byte,
    },
  };
}

/**
 * Returns the current values that the query is about: those that share a word with it, and those
 * stated by the memories found for it.
 */
function stateItems(
  { state }: KnownFacts,
  terms: QueryTerms,
  memories: readonly ContextItem[],
): ContextItem[] {
  const found = new Set(memories.map(({ id }) => id));
  return state.map((record) => {
    const { subject, attribute, value, source_ids } = record;
    const words = attribute.replaceAll("_", " ");
    const isFound = source_ids.some((id) => found.has(id));
    return {
      relevance: terms.countIn(`${subject} ${words} ${value}`) + (isFound ? 0.5 : 0),
      item: {
        kind: "state" as const,
        id: record.id,
        text: `${subject} ${words.replace(":", ": ")}: ${value}`,
        date: record.valid_from,
        score: null,
        source_ids: [...source_ids],
        citation: null,
      },
    };
  }).filter(({ relevance }) => relevance > 0)
    .sort((a, b) => b.relevance - a.relevance)
    .slice(0, CANDIDATES.state)
    .map(({ item }) => item);
}

/** Returns the lines of the profile: those that share words with the query, then in its order. */
function profileItems({ profile }: KnownFacts, terms: QueryTerms): ContextItem[] {
  return profile.map((line) => ({
    relevance: terms.countIn(`${line.title} ${line.memory}`),
    item: {
      kind: "profile" as const,
      id: line.id,
      text: oneLine(line.memory),
      date: line.date,
      score: null,
      source_ids: [line.id],
      citation: null,
    },
  })).sort((a, b) => b.relevance - a.relevance)
    .slice(0, CANDIDATES.profile)
    .map(({ item }) => item);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Adds when a memory ended, so that a model doesn't take it for current. */
function withEnd(text: string, end: string | null): string {
  return end === null ? text : `${text} (until ${end.slice(0, 10)})`;
}
