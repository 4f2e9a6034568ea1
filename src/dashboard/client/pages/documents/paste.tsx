/** Storing a text as a document: pasted, titled, done. */

import { useState } from "preact/hooks";
import type { IngestResponse } from "../../../../documents/schema.ts";
import { LIMITS } from "../../../../kernel/limits.ts";
import { idempotencyKey } from "../../api.ts";
import { useMutation } from "../../hooks.ts";
import { RadioGroup, TextField } from "../../parts/forms/fields.tsx";
import { formatBytes } from "../../parts/data/number_format.ts";
import {
  loadOwner,
  OwnerFields,
  type OwnerForm,
  saveOwner,
} from "../../parts/forms/owner_fields.tsx";
import { PageHeader } from "../../parts/layout/page_header.tsx";
import { ErrorMessage } from "../../parts/feedback/error_message.tsx";
import { useToast } from "../../parts/feedback/toast.tsx";
import { useProject } from "../../project.ts";
import { navigate } from "../../route.ts";

/** The most that is taken as text; anything longer has to be split. */
const MAX_DOCUMENT_BYTES = LIMITS.documentBytes;

export function PasteText() {
  const { api, link } = useProject();
  const tell = useToast();
  const [title, setTitle] = useState("");
  const [content, setContent] = useState("");
  const [type, setType] = useState("text/markdown");
  const [owner, setOwner] = useState<OwnerForm>(loadOwner);
  const size = new TextEncoder().encode(content).length;
  const store = useMutation(async () => {
    const given = title.trim() === "" ? {} : { title: title.trim() };
    const { document, created } = await api.call<IngestResponse>("POST", "/documents", {
      body: { content, mime_type: type, ...given, ...saveOwner(owner) },
      headers: idempotencyKey(),
    });
    tell(created ? "Stored" : "It was there already, just like this");
    navigate(link(`/documents/${document.id}`));
  });
  return (
    <>
      <PageHeader title="Paste text" back={{ href: link("/documents"), title: "Documents" }} />
      <form
        class="form narrow"
        onSubmit={(event) => {
          event.preventDefault();
          store.run();
        }}
      >
        <TextField
          label="Title"
          hint="It also names the source: the same title again becomes a new version of it."
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
            }: too long, split it into parts`
            : `${formatBytes(size)} of ${formatBytes(MAX_DOCUMENT_BYTES)}`}
          lines={14}
          value={content}
          onChange={setContent}
          required
        />
        <RadioGroup
          label="Form of the text"
          value={type}
          onChange={setType}
          options={[["text/markdown", "Markdown"], ["text/plain", "Plain text"]]}
        />
        <OwnerFields value={owner} onChange={setOwner} />
        <ErrorMessage failure={store.failure} />
        <div class="form-actions">
          <button
            type="submit"
            class="button primary"
            disabled={store.running || size > MAX_DOCUMENT_BYTES}
          >
            {store.running ? "One moment…" : "Store it"}
          </button>
        </div>
      </form>
    </>
  );
}
