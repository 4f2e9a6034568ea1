/** The page for saving pasted text as a document. */

import { useState } from "preact/hooks";
import type { IngestResponse } from "../../../../documents/schema.ts";
import { LIMITS } from "../../../../kernel/limits.ts";
import { useCommand, useMutation } from "../../hooks.ts";
import { RadioGroup, TextField } from "../../parts/forms/fields.tsx";
import { formatBytes } from "../../parts/data/number_format.ts";
import { OwnerFields, useOwner } from "../../parts/forms/owner_fields.tsx";
import { PageHeader } from "../../parts/layout/page_header.tsx";
import { ErrorMessage } from "../../parts/feedback/error_message.tsx";
import { useToast } from "../../parts/feedback/toast.tsx";
import { useProject } from "../../project.ts";
import { navigate } from "../../route.ts";

/** Maximum text size, in bytes. Longer texts need splitting. */
const MAX_DOCUMENT_BYTES = LIMITS.documentBytes;

export function PasteText() {
  const { api, link } = useProject();
  const showToast = useToast();
  const [title, setTitle] = useState("");
  const [content, setContent] = useState("");
  const [type, setType] = useState("text/markdown");
  const { owner, setOwner, saveOwner } = useOwner();
  const size = new TextEncoder().encode(content).length;
  const command = useCommand();
  const save = useMutation(async () => {
    const titleField = title.trim() === "" ? {} : { title: title.trim() };
    const { document, created } = await api.call<IngestResponse>("POST", "/documents", {
      body: { content, mime_type: type, ...titleField, ...saveOwner() },
      command,
    });
    showToast(created ? "Document saved" : "This document already exists");
    navigate(link(`/documents/${document.id}`));
  });
  return (
    <>
      <PageHeader title="Paste text" back={{ href: link("/documents"), title: "Documents" }} />
      <form
        class="form narrow"
        onSubmit={(event) => {
          event.preventDefault();
          save.run();
        }}
      >
        <TextField
          label="Title"
          hint="Also identifies the source. Saving another text with the same title creates a new version."
          value={title}
          onChange={setTitle}
          placeholder="Lighthouse handbook"
          autoFocus
        />
        <TextField
          label="Text"
          hint={size > MAX_DOCUMENT_BYTES
            ? `${formatBytes(size)} of ${
              formatBytes(MAX_DOCUMENT_BYTES)
            }: too long; split it into parts`
            : `${formatBytes(size)} of ${formatBytes(MAX_DOCUMENT_BYTES)}`}
          lines={14}
          value={content}
          onChange={setContent}
          required
        />
        <RadioGroup
          label="Format"
          value={type}
          onChange={setType}
          options={[["text/markdown", "Markdown"], ["text/plain", "Plain text"]]}
        />
        <OwnerFields value={owner} onChange={setOwner} />
        <ErrorMessage failure={save.failure} />
        <div class="form-actions">
          <button
            type="submit"
            class="button primary"
            disabled={save.running || size > MAX_DOCUMENT_BYTES}
          >
            {save.running ? "One moment…" : "Save"}
          </button>
        </div>
      </form>
    </>
  );
}
