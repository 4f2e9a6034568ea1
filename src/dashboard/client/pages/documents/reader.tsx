/** A document's text, with search hits and the selected passage highlighted. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { DocumentChunk } from "../../../../documents/schema.ts";
import { type Page, RequestError } from "../../api.ts";
import { formatBytes } from "../../parts/data/number_format.ts";
import { ErrorMessage } from "../../parts/feedback/error_message.tsx";
import { Prose } from "../../parts/text/prose.tsx";
import { LoadingRows } from "../../parts/data/table.tsx";
import { useProject } from "../../project.ts";

export interface ReaderProps {
  /** Document version id. */
  readonly id: string;
  /** Index of the passage to scroll to, or null. */
  readonly selected: number | null;
  /** Indexes of passages that match the query. */
  readonly hits: ReadonlySet<number>;
  readonly query: string;
}

export function Reader({ id, selected, hits, query }: ReaderProps) {
  const { link } = useProject();
  const { chunks, complete, failure } = useChunks(id);
  const target = useRef<HTMLElement>(null);
  const loaded = selected !== null && selected < chunks.length;
  useEffect(() => {
    if (!loaded) return;
    target.current?.scrollIntoView({ block: "center" });
    target.current?.focus({ preventScroll: true });
  }, [id, selected, loaded]);
  return (
    <div class="reader" aria-busy={!complete}>
      {chunks.map((chunk) => {
        const { index, content, start_byte, end_byte } = chunk;
        const isChosen = index === selected;
        const name = `Passage ${index + 1}`;
        return (
          <section
            key={chunk.id}
            ref={isChosen ? target : null}
            class={`chunk ${isChosen ? "chosen" : ""} ${hits.has(index) ? "hit" : ""}`}
            aria-label={name}
            tabIndex={-1}
          >
            <a
              class="chunk-mark"
              href={link(`/documents/${id}`, { chunk: index, q: query })}
              title={`${name}: bytes ${start_byte} to ${end_byte} (${
                formatBytes(end_byte - start_byte)
              })`}
            >
              <span class="sr-only">Passage</span> {index + 1}
            </a>
            <div class="chunk-text">
              <Prose text={content} query={hits.has(index) || isChosen ? query : ""} />
            </div>
          </section>
        );
      })}
      <ErrorMessage failure={failure} />
      {!complete && failure === undefined && <LoadingRows lines={3} />}
    </div>
  );
}

/** Loads all passages of a version page by page, and returns the ones loaded so far. */
function useChunks(id: string) {
  const { api } = useProject();
  const [chunks, setChunks] = useState<readonly DocumentChunk[]>([]);
  const [complete, setComplete] = useState(false);
  const [failure, setFailure] = useState<RequestError>();
  useEffect(() => {
    const aborter = new AbortController();
    setChunks([]);
    setComplete(false);
    setFailure(undefined);
    const load = async () => {
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const page: Page<DocumentChunk> = await api.get(
          `/documents/${id}/chunks`,
          { limit: 100, cursor },
          aborter.signal,
        );
        setChunks((before) => [...before, ...page.results]);
        cursor = page.next_cursor;
      }
      setComplete(true);
    };
    load().catch((error: unknown) => {
      if (aborter.signal.aborted) return;
      if (!(error instanceof RequestError)) throw error;
      setFailure(error);
    });
    return () => aborter.abort();
  }, [api.id, id]);
  return { chunks, complete, failure };
}
