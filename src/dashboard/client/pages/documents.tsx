/** The documents page: uploads, the document list and passage search. */

import { useEffect, useState } from "preact/hooks";
import type { Document } from "../../../documents/schema.ts";
import type { Page } from "../api.ts";
import { usePagedList } from "../hooks.ts";
import { EmptyState } from "../parts/feedback/empty_state.tsx";
import { FilterBar } from "../parts/forms/filter_bar.tsx";
import { formatBytes } from "../parts/data/number_format.ts";
import { Icon } from "../parts/layout/icon.tsx";
import { PageHeader } from "../parts/layout/page_header.tsx";
import { ScopeFields, type ScopeForm } from "../parts/forms/scope_fields.tsx";
import { SearchField } from "../parts/forms/search_field.tsx";
import { PagedTable } from "../parts/data/table.tsx";
import { Timestamp } from "../parts/data/timestamp.tsx";
import type { PageProps } from "../pages.ts";
import { useProject } from "../project.ts";
import { navigate } from "../route.ts";
import { SearchDocuments } from "./documents/search.tsx";
import { Uploads } from "./documents/uploads.tsx";
import { Scopes } from "./memories/memory_row.tsx";

interface DocumentsForm extends ScopeForm {
  readonly q?: string | undefined;
}

export function Documents({ query }: PageProps) {
  const { link } = useProject();
  const [added, setAdded] = useState(0);
  const form: DocumentsForm = {
    q: query.get("q") || undefined,
    user_id: query.get("user_id") || undefined,
    agent_id: query.get("agent_id") || undefined,
    run_id: query.get("run_id") || undefined,
  };
  const change = (next: DocumentsForm) => navigate(link("/documents", { ...next }), "replace");
  const { q, ...scope } = form;
  return (
    <>
      <PageHeader title="Documents">
        <a class="button" href={link("/documents/new")}>
          <Icon name="plus" /> Paste text
        </a>
      </PageHeader>
      {q === undefined && <Uploads onReady={() => setAdded((n) => n + 1)} />}
      <SearchField
        label="Search documents"
        placeholder="Find a passage: how are backups made?"
        value={q}
        onChange={(q) => change({ ...form, q })}
      />
      <FilterBar label="Filters" activeCount={Object.values(scope).filter(Boolean).length}>
        <ScopeFields value={scope} onChange={(scope) => change({ ...form, ...scope })} />
      </FilterBar>
      {q === undefined
        ? <DocumentList scope={scope} refreshCount={added} />
        : <SearchDocuments query={q} scope={scope} />}
    </>
  );
}

function DocumentList(
  { scope, refreshCount }: { readonly scope: ScopeForm; readonly refreshCount: number },
) {
  const { id, api, link } = useProject();
  const list = usePagedList(
    (cursor, signal) => api.get<Page<Document>>("/documents", { ...scope, cursor }, signal),
    [id, scope],
    { keyOf: (document) => document.id, everyMs: 15_000 },
  );
  useEffect(() => {
    if (refreshCount > 0) list.reload();
  }, [refreshCount]);
  const filtered = Object.values(scope).some((value) => value !== undefined);
  return (
    <PagedTable
      label="Documents"
      list={list}
      keyOf={(document) => document.id}
      href={(document) => link(`/documents/${document.id}`)}
      columns={[
        { title: "Title", kind: "grow", cell: ({ title }) => <bdi>{title}</bdi> },
        { title: "Owner", cell: (document) => <Scopes of={document} page="/documents" /> },
        { title: "Type", optional: true, cell: ({ mime_type }) => typeName(mime_type) },
        { title: "Size", kind: "end", cell: ({ size_bytes }) => formatBytes(size_bytes) },
        { title: "Added", cell: ({ created_at }) => <Timestamp at={created_at} /> },
      ]}
      empty={filtered
        ? (
          <EmptyState icon="document" title="No documents of this owner">
            <a class="button" href={link("/documents")}>Show all documents</a>
          </EmptyState>
        )
        : (
          <EmptyState icon="document" title="No documents yet">
            <p>
              Drop a file above, or{" "}
              <a href={link("/documents/new")}>paste text</a>. It is split into passages that you
              can search and cite.
            </p>
          </EmptyState>
        )}
    />
  );
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  "application/pdf": "PDF",
  "application/msword": "Word",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word",
  "application/vnd.ms-excel": "Excel",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "Excel",
  "application/vnd.ms-powerpoint": "PowerPoint",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "PowerPoint",
  "application/epub+zip": "EPUB",
  "message/rfc822": "Email",
  "text/plain": "Text",
  "text/markdown": "Markdown",
  "text/html": "HTML",
};

/** Returns a media type's common name, or its subtype if it has none. */
export function typeName(mediaType: string): string {
  return TYPE_NAMES[mediaType] ?? mediaType.replace(/^[^/]+\/(x-|vnd\.)?/, "");
}
