/** Request and response schemas for memory search. */

import { z } from "zod";
import { nonBlankText, pageOf, scopeFields, timestampOutput } from "../../contract/fields.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { MEMORY_FIELDS } from "../../search/query/filterable.ts";
import { filterField } from "../../search/query/filter_field.ts";
import { DIRECTIONS, ORDER_FIELDS } from "../../search/query/record_query.ts";
import { MODES, SORT_ORDERS, STRATEGY_NAMES } from "../../search/query/memory_request.ts";
import { memorySchema, memoryType } from "../schema.ts";

const topK = z.int().min(1).max(LIMITS.topK);

const filters = filterField("MemoryFilter", MEMORY_FIELDS);

const pageSize = z.int().min(1).max(LIMITS.pageSize).default(LIMITS.pageSizeDefault);

export const queryBody = z.object({
  ...scopeFields,
  memory_type: memoryType.optional().describe("Only return memories of this type"),
  filters: filters.optional(),
  order_by: z.enum(ORDER_FIELDS).default("created_at")
    .describe("Memories without an event_date come last in either direction"),
  direction: z.enum(DIRECTIONS).default("desc"),
  limit: pageSize,
  cursor: z.string().optional(),
  count: z.boolean().default(false).describe("Also return the number of all matching memories"),
});

export type QueryBody = z.output<typeof queryBody>;

export const queryResponse = pageOf(memorySchema).extend({
  count: z.int().optional().describe("Number of all matching memories, if requested"),
});

export type QueryResponse = z.output<typeof queryResponse>;

export const searchBody = z.object({
  query: nonBlankText(LIMITS.queryCharacters),
  ...scopeFields,
  top_k: topK.optional()
    .describe(`Maximum number of results. Defaults to ${LIMITS.topKDefault}`),
  limit: topK.optional().describe("Alias of top_k"),
  memory_type: memoryType.optional().describe("Only return memories of this type"),
  filters: filters.optional(),
  mode: z.enum(MODES).default("hybrid")
    .describe("Order of the relevant memories: by relevance, recency, importance or type"),
  search_strategy: z.enum(STRATEGY_NAMES).default("balanced")
    .describe("Fewer and more certain results (precision), or more results (recall)"),
  sort_by: z.enum(SORT_ORDERS).optional()
    .describe("Sort the relevant results by this instead of by relevance"),
  min_score: z.number().min(0).max(1).default(0).describe("Omit results with a lower score"),
  trace: z.boolean().default(false).describe("Also return how the ranking was computed"),
  beliefs: z.boolean().default(false)
    .describe("Also return how the values that the results mention have changed. Requires a scope"),
});

export type SearchBody = z.output<typeof searchBody>;

const scoredParts = z.object({
  id: z.string(),
  score: z.number(),
  parts: z.record(z.string(), z.number()).meta({ id: "ScoreParts" }),
}).meta({ id: "ScoredMemory" });

const listEntry = z.object({ id: z.string(), rank: z.int(), score: z.number() })
  .meta({ id: "RankedMemory" });

/** All values a slot has had over time, oldest first. */
const beliefChain = z.object({
  subject: z.string(),
  attribute: z.string(),
  facts: z.array(
    z.object({
      value: z.string(),
      valid_from: timestampOutput.nullable(),
      valid_to: timestampOutput.nullable(),
      source_ids: z.array(z.string()).readonly(),
    }).meta({ id: "BeliefChainFact" }),
  ).readonly(),
}).meta({ id: "BeliefChain" });

export type BeliefChain = z.output<typeof beliefChain>;

const foundMemory = memorySchema.extend({ score: z.number().min(0).max(1) })
  .meta({ id: "FoundMemory" });

const searchTrace = z.object({
  strategy: z.string(),
  terms: z.array(
    z.object({ term: z.string(), frequency: z.int(), weight: z.number(), asked: z.boolean() })
      .meta({ id: "TracedTerm" }),
  ),
  lists: z.object({ lexical: z.array(listEntry), vector: z.array(listEntry) })
    .meta({ id: "TracedLists" }),
  fused: z.array(scoredParts),
  selected: z.array(z.string()),
  selected_items: z.array(scoredParts.extend({ rank: z.int() }).meta({ id: "SelectedMemory" })),
}).meta({ id: "SearchTrace" });

export const searchResponse = z.object({
  results: z.array(foundMemory),
  /**
   * Value histories of the slots mentioned in the results. Only present if requested, and if at
   * least one value has changed.
   */
  beliefs: z.array(beliefChain).optional(),
  trace: searchTrace.optional(),
});

export type SearchResponse = z.output<typeof searchResponse>;
