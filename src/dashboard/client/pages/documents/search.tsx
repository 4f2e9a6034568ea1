/** Passage search results, shown in context and linked to their documents. */

import type { Document, DocumentChunk, Hit } from "../../../../documents/schema.ts";
import { useResource } from "../../hooks.ts";
import { EmptyState } from "../../parts/feedback/empty_state.tsx";
import { formatPlural } from "../../parts/data/number_format.ts";
import { ErrorMessage } from "../../parts/feedback/error_message.tsx";
import type { ScopeForm } from "../../parts/forms/scope_fields.tsx";
import { LoadingRows } from "../../parts/data/table.tsx";
import { useProject } from "../../project.ts";
import { Meter } from "../../parts/data/meter.tsx";
import { excerpt } from "../../parts/text/excerpt.ts";
import { Prose } from "../../parts/text/prose.tsx";

export interface SearchDocumentsProps {
  readonly query: string;
  readonly scope: ScopeForm;
}

export function SearchDocuments({ query, scope }: SearchDocumentsProps) {
  const { id, api } = useProject();
  const search = useResource(async (signal) => {
    const body = { query, ...scope, limit: 10, neighbors: 1 };
    const { results } = await api.call<{ results: Hit[] }>("POST", "/documents/search", {
      body,
      signal,
    });
    const ids = [...new Set(results.map(({ document }) => document.id))];
    const documents = await Promise.all(
      ids.map((document) => api.get<Document>(`/documents/${document}`, {}, signal)),
    );
    return { results, titles: new Map(documents.map((document) => [document.id, document.title])) };
  }, [id, query, scope]);
  if (search.value === undefined) {
    return search.failure === undefined
      ? <LoadingRows />
      : <ErrorMessage failure={search.failure} onRetry={search.reload} />;
  }
  const { results, titles } = search.value;
  if (results.length === 0) {
    return (
      <EmptyState icon="search" title="No passages found">
        No passage contains these words or is close in meaning. Try other words or fewer filters.
      </EmptyState>
    );
  }
  return (
    <>
      <p class="found-count" role="status">
        {formatPlural(results.length, "passage")}, best match first
      </p>
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
        <span class="found-score" title="Score from 0 to 1">
          <Meter value={score} label="Score" />
          {score.toFixed(2)}
        </span>
      </div>
      <Context chunk={before} side="end" />
      <div class="hit-text">
        <Prose text={excerpt(chunk.content.trim(), query, MAX_EXCERPT_CHARACTERS)} query={query} />
      </div>
      <Context chunk={after} side="start" />
    </li>
  );
}

/** Maximum number of characters shown per passage and per neighbour. */
const [MAX_EXCERPT_CHARACTERS, MAX_CONTEXT_CHARACTERS] = [600, 160];

/** Renders the end of a neighbouring passage that's closest to the hit. */
function Context(
  { chunk, side }: { readonly chunk: DocumentChunk | undefined; readonly side: "start" | "end" },
) {
  const text = chunk?.content.trim() ?? "";
  if (text === "") return null;
  const short = text.length <= MAX_CONTEXT_CHARACTERS
    ? text
    : side === "end"
    ? `… ${text.slice(-MAX_CONTEXT_CHARACTERS)}`
    : `${text.slice(0, MAX_CONTEXT_CHARACTERS)} …`;
  return <p class="hit-context" dir="auto">{short}</p>;
}
