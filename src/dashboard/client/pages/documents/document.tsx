/** The single-document page: its text, a search within it, details and versions. */

import { useState } from "preact/hooks";
import type { DeleteResponse, Document, Hit } from "../../../../documents/schema.ts";
import type { Version } from "../../../browse/schema.ts";
import type { Page } from "../../api.ts";
import { useCommand, useMutation, usePagedList, useResource } from "../../hooks.ts";
import { Badge } from "../../parts/data/badge.tsx";
import { CopyButton, Id } from "../../parts/feedback/copy_button.tsx";
import { FormDialog } from "../../parts/forms/dialog.tsx";
import { type Detail, DetailList } from "../../parts/data/detail_list.tsx";
import { formatBytes, formatCount, formatPlural } from "../../parts/data/number_format.ts";
import { Icon } from "../../parts/layout/icon.tsx";
import { JsonView } from "../../parts/data/json_view.tsx";
import { PageHeader } from "../../parts/layout/page_header.tsx";
import { ErrorMessage } from "../../parts/feedback/error_message.tsx";
import { SearchField } from "../../parts/forms/search_field.tsx";
import { Section } from "../../parts/layout/section.tsx";
import { LoadingRows, LoadMore } from "../../parts/data/table.tsx";
import { useToast } from "../../parts/feedback/toast.tsx";
import { Timestamp } from "../../parts/data/timestamp.tsx";
import type { PageProps } from "../../pages.ts";
import { useProject } from "../../project.ts";
import { navigate } from "../../route.ts";
import { typeName } from "../documents.tsx";
import { Scopes } from "../memories/memory_row.tsx";
import { Reader } from "./reader.tsx";

export function DocumentPage({ params, query }: PageProps) {
  const id = params["id"]!;
  const { api, link } = useProject();
  const path = `/documents/${encodeURIComponent(id)}`;
  const document = useResource((signal) => api.get<Document>(path, {}, signal), [api.id, id]);
  const versions = usePagedList(
    (cursor, signal) => api.get<Page<Version>>(`/browse${path}/versions`, { cursor }, signal),
    [api.id, id],
    { keyOf: (version) => version.document.id },
  );
  const back = { href: link("/documents"), title: "Documents" };
  if (document.value === undefined) {
    return (
      <>
        <PageHeader title="Document" back={back} />
        {document.failure === undefined
          ? <LoadingRows />
          : <ErrorMessage failure={document.failure} onRetry={document.reload} />}
      </>
    );
  }
  const current = versions.items?.find((version) => version.current);
  const version = versions.items?.find((version) => version.document.id === id);
  return (
    <>
      <PageHeader
        title={<bdi>{document.value.title}</bdi>}
        tab={document.value.title}
        back={back}
      >
        <DeleteDocument document={document.value} versions={versions.items ?? []} />
      </PageHeader>
      {current !== undefined && current.document.id !== id && (
        <p class="notice">
          This is an older version. Searches only find the{" "}
          <a href={link(`/documents/${current.document.id}`)}>current version</a>.
        </p>
      )}
      <div class="document-columns">
        <DocumentText
          document={document.value}
          searchable={current?.document.id === id}
          query={query}
        />
        <aside aria-label="About this document">
          <Section title="Details" card>
            <DetailList of={documentDetails(document.value, version)} />
            {Object.keys(document.value.metadata).length > 0 && (
              <JsonView value={document.value.metadata} label="Metadata" />
            )}
          </Section>
          <Section title="Versions" card>
            <ErrorMessage failure={versions.failure} onRetry={versions.reload} />
            <ol class="versions">
              {versions.items?.map(({ document, current, chunks }) => (
                <li key={document.id}>
                  <a
                    href={link(`/documents/${document.id}`)}
                    aria-current={document.id === id ? "true" : undefined}
                  >
                    <Timestamp at={document.created_at} as="moment" />
                  </a>{" "}
                  {current && <Badge tone="good">Current</Badge>}{" "}
                  <span class="faint">
                    {formatBytes(document.size_bytes)}, {formatPlural(chunks, "passage")}
                  </span>
                </li>
              ))}
            </ol>
            <LoadMore list={versions} />
          </Section>
        </aside>
      </div>
    </>
  );
}

interface DocumentTextProps {
  readonly document: Document;
  /** Whether the document's passages can be searched. Only current versions are indexed. */
  readonly searchable: boolean;
  readonly query: URLSearchParams;
}

function DocumentText({ document, searchable, query }: DocumentTextProps) {
  const { api, link } = useProject();
  const [q, chunk] = [query.get("q") ?? "", query.get("chunk")];
  const chosen = chunk !== null && /^\d{1,6}$/.test(chunk) ? Number(chunk) : null;
  const search = useResource<readonly Hit[]>(async (signal) => {
    if (q === "" || !searchable) return [];
    const body = { query: q, source_key: document.source_key, limit: 20 };
    const options = { body, signal };
    return (await api.call<{ results: Hit[] }>("POST", "/documents/search", options)).results;
  }, [api.id, document.id, q, searchable]);
  const hits = search.value ?? [];
  const at = (index: number) => link(`/documents/${document.id}`, { q, chunk: index });
  return (
    <div class="document-text">
      {searchable && (
        <SearchField
          label="Search in this document"
          placeholder="Search in this document"
          value={q || undefined}
          onChange={(next) => navigate(link(`/documents/${document.id}`, { q: next }), "replace")}
        />
      )}
      <ErrorMessage failure={search.failure} onRetry={search.reload} />
      {q !== "" && searchable && search.value !== undefined && (
        <nav class="jumps" aria-label="Passages found">
          {hits.length === 0
            ? <span class="faint" role="status">No matching passages in this document</span>
            : <span role="status">{formatPlural(hits.length, "passage")}, best match first:</span>}
          {hits.map(({ chunk }) => (
            <a
              key={chunk.id}
              class="button small"
              href={at(chunk.index)}
              aria-current={chunk.index === chosen ? "true" : undefined}
            >
              {chunk.index + 1}
            </a>
          ))}
        </nav>
      )}
      <Reader
        id={document.id}
        selected={chosen}
        hits={new Set(hits.map(({ chunk }) => chunk.index))}
        query={q}
      />
    </div>
  );
}

function documentDetails(document: Document, version: Version | undefined): Detail[] {
  const file = version?.file ?? null;
  return [
    ["Owner", <Scopes key="owner" of={document} page="/documents" />],
    ["Source key", <bdi key="source">{document.source_key}</bdi>],
    ["Type", typeName(document.mime_type)],
    ["Text size", formatBytes(document.size_bytes)],
    ["Passages", version === undefined ? null : formatCount(version.chunks)],
    ...(file === null ? [] : [
      ["File", <bdi key="file">{file.filename} ({formatBytes(file.size_bytes)})</bdi>] as const,
      ["Pages", file.page_count === null ? null : formatCount(file.page_count)] as const,
      ["Extracted by", file.extractor] as const,
    ]),
    ...(document.source_uri === null
      ? []
      : [["Source URI", <bdi key="uri">{document.source_uri}</bdi>] as const]),
    ["Added", <Timestamp key="added" at={document.created_at} as="moment" />],
    ["ID", <Id key="id" of={document.id} short />],
    [
      "SHA-256",
      <span key="hash" class="id">
        <code title={document.content_hash}>{document.content_hash.slice(0, 12)}…</code>
        <CopyButton text={document.content_hash} label="Copy SHA-256" />
      </span>,
    ],
  ];
}

interface DeleteDocumentProps {
  readonly document: Document;
  readonly versions: readonly Version[];
}

function DeleteDocument({ document, versions }: DeleteDocumentProps) {
  const { api, link } = useProject();
  const showToast = useToast();
  const [confirming, setConfirming] = useState(false);
  const command = useCommand();
  const remove = useMutation(async () => {
    const { chunks } = await api.call<DeleteResponse>("DELETE", `/documents/${document.id}`, {
      command,
    });
    showToast(`Document deleted with ${formatPlural(chunks, "passage")}`);
    navigate(link("/documents"));
  });
  return (
    <>
      <button type="button" class="button" onClick={() => setConfirming(true)}>
        <Icon name="trash" /> Delete
      </button>
      {confirming && (
        <FormDialog
          title="Delete this document?"
          submitLabel="Delete"
          danger
          onClose={() => setConfirming(false)}
          running={remove.running}
          failure={remove.failure}
          onSubmit={remove.run}
        >
          <p>
            <strong>
              <bdi>{document.title}</bdi>
            </strong>{" "}
            is deleted with{" "}
            {versions.length > 1 ? `all ${versions.length} versions` : "its only version"}, every
            passage, and its original file. This cannot be undone.
          </p>
        </FormDialog>
      )}
    </>
  );
}
