/** Memory search results, with a trace explaining their ranks. */

import { useMemo, useState } from "preact/hooks";
import type { SearchResponse } from "../../../../memories/search/schema.ts";
import { useResource } from "../../hooks.ts";
import { useProject } from "../../project.ts";
import { EmptyState } from "../../parts/feedback/empty_state.tsx";
import { ErrorMessage } from "../../parts/feedback/error_message.tsx";
import { LoadingRows } from "../../parts/data/table.tsx";
import { formatPlural } from "../../parts/data/number_format.ts";
import { Highlighted } from "../../parts/text/highlighted.tsx";
import { Meter } from "../../parts/data/meter.tsx";
import { Timestamp } from "../../parts/data/timestamp.tsx";
import { explainRank, type Trace } from "./explain.ts";
import { hasFilter, MODES, type SearchForm, toSearchBody } from "./filter.ts";
import { RankChart, RankTable } from "./rank_chart.tsx";
import { hasEnded, Scopes, TypeBadge } from "./memory_row.tsx";
import { ScoreSteps } from "./score_steps.tsx";

type SearchResult = SearchResponse["results"][number];

/** Number of results shown initially, and after the user asks for more. */
const [INITIAL_RESULTS, MAX_RESULTS] = [10, 50];

export interface SearchMemoriesProps {
  readonly query: string;
  readonly form: SearchForm;
}

export function SearchMemories({ query, form }: SearchMemoriesProps) {
  const { id: project, api } = useProject();
  const [active, setActive] = useState<string | null>(null);
  const [limit, setLimit] = useState(INITIAL_RESULTS);
  const search = useResource(
    (signal) => {
      const body = toSearchBody(form, query, new Date().toISOString(), limit);
      return api.call<SearchResponse>("POST", "/memories/search", { body, signal });
    },
    [project, query, form, limit],
  );
  if (search.failure !== undefined) {
    return <ErrorMessage failure={search.failure} onRetry={search.reload} />;
  }
  if (search.value === undefined) return <LoadingRows />;
  const { results, trace } = search.value;
  if (results.length === 0 || trace === undefined) {
    return <NoResults form={form} trace={trace} />;
  }
  const byRelevance = form.mode === undefined || form.mode === "hybrid" || form.mode === "typed";
  return (
    <div class="found" aria-busy={search.loading}>
      <p class="found-count" role="status">
        {formatPlural(results.length, "memory", "memories")},{" "}
        {MODES[form.mode ?? "hybrid"].toLowerCase()}
      </p>
      <SearchExplanation trace={trace} results={results} active={active} onActive={setActive} />
      <ol class="rows found-rows" aria-label="Memories found">
        {results.map((memory, index) => (
          <SearchResultRow
            key={memory.id}
            memory={memory}
            rank={index + 1}
            query={query}
            trace={trace}
            explanation={explainRank(trace, memory.id, byRelevance)}
            active={active === memory.id}
            onActive={setActive}
          />
        ))}
      </ol>
      {results.length === INITIAL_RESULTS && limit === INITIAL_RESULTS && (
        <div class="more">
          <button type="button" class="button" onClick={() => setLimit(MAX_RESULTS)}>
            Show up to {MAX_RESULTS}
          </button>
        </div>
      )}
    </div>
  );
}

interface SearchResultRowProps {
  readonly memory: SearchResult;
  readonly rank: number;
  readonly query: string;
  readonly trace: Trace;
  readonly explanation: string;
  readonly active: boolean;
  readonly onActive: (id: string | null) => void;
}

function SearchResultRow(
  { memory, rank, query, trace, explanation, active, onActive }: SearchResultRowProps,
) {
  const { link } = useProject();
  const item = trace.selected_items.find(({ id }) => id === memory.id);
  return (
    <li
      class={`row found-row ${active ? "active" : ""}`}
      onMouseEnter={() => onActive(memory.id)}
      onFocusIn={() => onActive(memory.id)}
    >
      <span class={`found-rank tone-${(rank - 1) % 10}`}>{rank}</span>
      <div class="row-main">
        <a class="row-title" href={link(`/memories/${memory.id}`)}>
          <span class="clamp" dir="auto">
            <Highlighted text={memory.memory} query={query} />
          </span>
        </a>
        <p class="row-notes">
          <TypeBadge type={memory.memory_type} />
          <Scopes of={memory} />
          {hasEnded(memory) && <span class="badge">No longer valid</span>}
          <Timestamp at={memory.created_at} />
        </p>
        <p class="found-why">{explanation}</p>
        {item !== undefined && (
          <details>
            <summary>Score breakdown</summary>
            <ScoreSteps trace={trace} item={item} />
          </details>
        )}
      </div>
      <span class="found-score" title="Score from 0 to 1">
        <Meter value={memory.score} label="Score" />
        {memory.score.toFixed(2)}
      </span>
    </li>
  );
}

interface SearchExplanationProps {
  readonly trace: Trace;
  readonly results: readonly SearchResult[];
  readonly active: string | null;
  readonly onActive: (id: string | null) => void;
}

/** Renders the trace chart and search terms, folded so that the results come first. */
function SearchExplanation({ trace, results, active, onActive }: SearchExplanationProps) {
  const [asTable, setAsTable] = useState(false);
  const texts = useMemo(() => new Map(results.map(({ id, memory }) => [id, memory])), [results]);
  const { lexical, vector } = trace.lists;
  return (
    <details class="how-found">
      <summary>How results were found</summary>
      <p>
        {lexical.length === 0
          ? "No memory contains a word of the query"
          : `${lexical.length} matched by words`}
        {vector.length === 0
          ? "; meaning was not compared (vectors not ready)"
          : `, ${vector.length} by meaning`}. Both scores are added, then small signals raise or
        lower each result. Follow a line to see which steps ranked it higher.
      </p>
      <div class="how-found-terms">
        <QueryTerms trace={trace} />
        <button
          type="button"
          class="button small"
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        >
          Show as table
        </button>
      </div>
      {asTable
        ? (
          <div class="scrolled" role="region" aria-label="Ranks" tabIndex={0}>
            <RankTable trace={trace} texts={texts} />
          </div>
        )
        : <RankChart trace={trace} texts={texts} active={active} onActive={onActive} />}
    </details>
  );
}

/** Renders the search terms, rarest first because those count the most. */
function QueryTerms({ trace }: { readonly trace: Trace }) {
  if (trace.terms.length === 0) return null;
  const maxWeight = Math.max(...trace.terms.map(({ weight }) => weight));
  return (
    <ul class="terms" aria-label="Search terms by weight">
      {trace.terms.map(({ term, frequency, weight, asked }) => (
        <li key={term} title={`Weight ${weight.toFixed(2)}`}>
          <span
            class="term-weight"
            style={{ width: `${(100 * weight / maxWeight).toFixed(0)}%` }}
          />
          <strong>{term}</strong> {frequency === 0
            ? "in no memory"
            : `in ${frequency === 1 ? "1 memory" : `${frequency} memories`}`}
          {asked ? "" : frequency === 0 ? "" : ", too common to search on its own"}
        </li>
      ))}
    </ul>
  );
}

function NoResults(
  { form, trace }: { readonly form: SearchForm; readonly trace: Trace | undefined },
) {
  const words = trace?.terms.map(({ term }) => `“${term}”`).join(", ") ?? "";
  return (
    <EmptyState icon="search" title="Nothing found">
      <p>
        {hasFilter(form)
          ? "No memory matches the query and these filters. Clear a filter to search further."
          : "No memory contains these words or is close in meaning. Try other words."}
      </p>
      {words !== "" && <p class="faint">Searched for {words}</p>}
    </EmptyState>
  );
}
