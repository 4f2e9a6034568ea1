/** A search for passages: each hit in its context, with the way into its document. */

import type { Document, DocumentChunk, Hit } from "../../../../documents/schema.ts";
import { useLoaded } from "../../live.ts";
import { Empty } from "../../parts/empty.tsx";
import { plural } from "../../parts/figures.ts";
import { Problem } from "../../parts/problem.tsx";
import type { ScopeForm } from "../../parts/scope_fields.tsx";
import { Waiting } from "../../parts/table.tsx";
import { useProject } from "../../project.ts";
import { Meter } from "../../parts/meter.tsx";
import { excerpt } from "../../parts/excerpt.ts";
import { Prose } from "../../parts/prose.tsx";

export interface SearchDocumentsProps {
  readonly query: string;
  readonly scope: ScopeForm;
}

export function SearchDocuments({ query, scope }: SearchDocumentsProps) {
  const { id, api } = useProject();
  const search = useLoaded(async (signal) => {
    const body = { query, ...scope, limit: 10, neighbors: 1 };
    const { results } = await api.call<{ results: Hit[] }>("POST", "/documents/search", {
      body,
      signal,
    });
    const ids = [...new Set(results.map(({ document }) => document.id))];
    const documents = await Promise.all(
      ids.map((each) => api.get<Document>(`/documents/${each}`, {}, signal)),
    );
    return { results, titles: new Map(documents.map((each) => [each.id, each.title])) };
  }, [id, query, scope]);
  if (search.value === undefined) {
    return search.failure === undefined
      ? <Waiting />
      : <Problem failure={search.failure} retry={search.reload} />;
  }
  const { results, titles } = search.value;
  if (results.length === 0) {
    return (
      <Empty icon="search" title="No passage found">
        No passage has these words or is near in meaning. Try other words, or fewer filters.
      </Empty>
    );
  }
  return (
    <>
      <p class="found-count" role="status">{plural(results.length, "passage")}, best first</p>
      <ol class="hits" aria-label="Passages found">
        {results.map((hit) => (
          <HitCard
            key={hit.chunk.id}
            hit={hit}
            title={titles.get(hit.document.id) ?? hit.document.source_key}
            query={query}
          />
        ))}
      </ol>
    </>
  );
}

interface HitCardProps {
  readonly hit: Hit;
  readonly title: string;
  readonly query: string;
}

function HitCard({ hit, title, query }: HitCardProps) {
  const { link } = useProject();
  const { chunk, neighbors, score } = hit;
  const before = neighbors.find(({ index }) => index === chunk.index - 1);
  const after = neighbors.find(({ index }) => index === chunk.index + 1);
  return (
    <li class="hit card">
      <div class="hit-head">
        <a href={link(`/documents/${chunk.document_id}`, { chunk: chunk.index, q: query })}>
          <bdi>{title}</bdi>
        </a>
        <span class="faint">passage {chunk.index + 1}</span>
        <span class="found-score" title="The score, from 0 to 1">
          <Meter value={score} label="Score" />
          {score.toFixed(2)}
        </span>
      </div>
      <Context chunk={before} side="end" />
      <div class="hit-text">
        <Prose text={excerpt(chunk.content.trim(), query, SHOWN)} query={query} />
      </div>
      <Context chunk={after} side="start" />
    </li>
  );
}

/** Characters of a passage, and of a neighbour, that are shown. */
const [SHOWN, CONTEXT] = [600, 160];

/** The side of a neighbour that touches the hit. */
function Context(
  { chunk, side }: { readonly chunk: DocumentChunk | undefined; readonly side: "start" | "end" },
) {
  const text = chunk?.content.trim() ?? "";
  if (text === "") return null;
  const short = text.length <= CONTEXT
    ? text
    : side === "end"
    ? `… ${text.slice(-CONTEXT)}`
    : `${text.slice(0, CONTEXT)} …`;
  return <p class="hit-context" dir="auto">{short}</p>;
}
