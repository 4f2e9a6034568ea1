/** A search of memories with its trace: the results, and the way that each of them came. */

import { useMemo, useState } from "preact/hooks";
import type { SearchAnswer } from "../../../../memories/search_schema.ts";
import { useLoaded } from "../../live.ts";
import { useProject } from "../../project.ts";
import { Empty } from "../../parts/empty.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Waiting } from "../../parts/table.tsx";
import { plural } from "../../parts/figures.ts";
import { Highlighted } from "../../parts/highlighted.tsx";
import { Meter } from "../../parts/meter.tsx";
import { When } from "../../parts/when.tsx";
import { type Trace, whyHere } from "./explain.ts";
import { isFiltered, MODES, searchBodyOf, type SearchForm } from "./filter.ts";
import { RankChart, RankTable } from "./rank_chart.tsx";
import { hasEnded, Scopes, TypeMark } from "./row.tsx";
import { ScoreSteps } from "./score_steps.tsx";

type Found = SearchAnswer["results"][number];

/** Results that are shown first, and when somebody wants more. */
const [SHOWN_FIRST, SHOWN_MOST] = [10, 50];

export interface SearchMemoriesProps {
  readonly query: string;
  readonly form: SearchForm;
}

export function SearchMemories({ query, form }: SearchMemoriesProps) {
  const { id: project, api } = useProject();
  const [active, setActive] = useState<string | null>(null);
  const [most, setMost] = useState(SHOWN_FIRST);
  const search = useLoaded(
    (signal) => {
      const body = searchBodyOf(form, query, new Date().toISOString(), most);
      return api.call<SearchAnswer>("POST", "/memories/search", { body, signal });
    },
    [project, query, form, most],
  );
  if (search.failure !== undefined) {
    return <Problem failure={search.failure} retry={search.reload} />;
  }
  if (search.value === undefined) return <Waiting />;
  const { results, trace } = search.value;
  if (results.length === 0 || trace === undefined) {
    return <NothingFound form={form} trace={trace} />;
  }
  const byRelevance = form.mode === undefined || form.mode === "hybrid" || form.mode === "typed";
  return (
    <div class="found" aria-busy={search.loading}>
      <p class="found-count" role="status">
        {plural(results.length, "memory", "memories")}, {MODES[form.mode ?? "hybrid"].toLowerCase()}
      </p>
      <HowFound trace={trace} results={results} active={active} onActive={setActive} />
      <ol class="rows found-rows" aria-label="Memories found">
        {results.map((memory, index) => (
          <FoundRow
            key={memory.id}
            memory={memory}
            rank={index + 1}
            query={query}
            trace={trace}
            why={whyHere(trace, memory.id, byRelevance)}
            active={active === memory.id}
            onActive={setActive}
          />
        ))}
      </ol>
      {results.length === SHOWN_FIRST && most === SHOWN_FIRST && (
        <div class="more">
          <button type="button" class="button" onClick={() => setMost(SHOWN_MOST)}>
            Show up to {SHOWN_MOST}
          </button>
        </div>
      )}
    </div>
  );
}

interface FoundRowProps {
  readonly memory: Found;
  readonly rank: number;
  readonly query: string;
  readonly trace: Trace;
  readonly why: string;
  readonly active: boolean;
  readonly onActive: (id: string | null) => void;
}

function FoundRow({ memory, rank, query, trace, why, active, onActive }: FoundRowProps) {
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
          <TypeMark type={memory.memory_type} />
          <Scopes of={memory} />
          {hasEnded(memory) && <span class="badge">No longer holds</span>}
          <When at={memory.created_at} />
        </p>
        <p class="found-why">{why}</p>
        {item !== undefined && (
          <details>
            <summary>How the score came about</summary>
            <ScoreSteps trace={trace} item={item} />
          </details>
        )}
      </div>
      <span class="found-score" title="The score, from 0 to 1">
        <Meter value={memory.score} label="Score" />
        {memory.score.toFixed(2)}
      </span>
    </li>
  );
}

interface HowFoundProps {
  readonly trace: Trace;
  readonly results: readonly Found[];
  readonly active: string | null;
  readonly onActive: (id: string | null) => void;
}

/** The drawing of the trace, with the words that were looked for. */
function HowFound({ trace, results, active, onActive }: HowFoundProps) {
  const [asTable, setAsTable] = useState(false);
  const texts = useMemo(() => new Map(results.map(({ id, memory }) => [id, memory])), [results]);
  const { lexical, vector } = trace.lists;
  return (
    <section class="how-found" aria-labelledby="how-found">
      <header>
        <h2 id="how-found">How they were found</h2>
        <button
          type="button"
          class="button small"
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        >
          As a table
        </button>
      </header>
      <p>
        {lexical.length === 0
          ? "No memory has a word of the query"
          : `${lexical.length} by their words`}
        {vector.length === 0
          ? "; meaning was not compared (there are no vectors yet)"
          : `, ${vector.length} by their meaning`}. Both are added up, then small signals lift or
        lower each one. Follow a line to see which step spoke for it.
      </p>
      <Terms trace={trace} />
      {asTable
        ? (
          <div class="scrolled" role="region" aria-label="Ranks" tabIndex={0}>
            <RankTable trace={trace} texts={texts} />
          </div>
        )
        : <RankChart trace={trace} texts={texts} active={active} onActive={onActive} />}
    </section>
  );
}

/** The words looked for, the rarest first: they count the most. */
function Terms({ trace }: { readonly trace: Trace }) {
  if (trace.terms.length === 0) return null;
  const most = Math.max(...trace.terms.map(({ weight }) => weight));
  return (
    <ul class="terms" aria-label="Words looked for, by how much they count">
      {trace.terms.map(({ term, frequency, weight, asked }) => (
        <li key={term} title={`Weight ${weight.toFixed(2)}`}>
          <span class="term-weight" style={{ width: `${(100 * weight / most).toFixed(0)}%` }} />
          <strong>{term}</strong> {frequency === 0
            ? "in no memory"
            : `in ${frequency === 1 ? "1 memory" : `${frequency} memories`}`}
          {asked ? "" : frequency === 0 ? "" : ", too common to look for by itself"}
        </li>
      ))}
    </ul>
  );
}

function NothingFound(
  { form, trace }: { readonly form: SearchForm; readonly trace: Trace | undefined },
) {
  const words = trace?.terms.map(({ term }) => `“${term}”`).join(", ") ?? "";
  return (
    <Empty icon="search" title="Nothing found">
      <p>
        {isFiltered(form)
          ? "No memory within these filters fits the query. Clear a filter to look further."
          : "No memory has these words, and none is near in meaning. Try other words."}
      </p>
      {words !== "" && <p class="faint">Looked for {words}</p>}
    </Empty>
  );
}
