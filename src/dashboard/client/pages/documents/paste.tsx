/** Storing a text as a document: pasted, titled, done. */

import { useState } from "preact/hooks";
import type { Ingested } from "../../../../documents/schema.ts";
import { LIMITS } from "../../../../kernel/limits.ts";
import { idempotencyKey } from "../../api.ts";
import { useCommand } from "../../live.ts";
import { Choice, TextField } from "../../parts/fields.tsx";
import { bytes } from "../../parts/figures.ts";
import { OwnerFields, type OwnerForm, ownerOf, rememberedOwner } from "../../parts/owner.tsx";
import { PageHead } from "../../parts/page_head.tsx";
import { Problem } from "../../parts/problem.tsx";
import { useToast } from "../../parts/toast.tsx";
import { useProject } from "../../project.ts";
import { go } from "../../route.ts";

/** The most that is taken as text; anything longer has to be split. */
const MOST_BYTES = LIMITS.document;

export function PasteText() {
  const { api, link } = useProject();
  const tell = useToast();
  const [title, setTitle] = useState("");
  const [content, setContent] = useState("");
  const [type, setType] = useState("text/markdown");
  const [owner, setOwner] = useState<OwnerForm>(rememberedOwner);
  const size = new TextEncoder().encode(content).length;
  const store = useCommand(async () => {
    const given = title.trim() === "" ? {} : { title: title.trim() };
    const { document, created } = await api.call<Ingested>("POST", "/documents", {
      body: { content, mime_type: type, ...given, ...ownerOf(owner) },
      headers: idempotencyKey(),
    });
    tell(created ? "Stored" : "It was there already, just like this");
    go(link(`/documents/${document.id}`));
  });
  return (
    <>
      <PageHead title="Paste text" back={{ href: link("/documents"), title: "Documents" }} />
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
          change={setTitle}
          placeholder="Lighthouse handbook"
          autoFocus
        />
        <TextField
          label="Text"
          hint={size > MOST_BYTES
            ? `${bytes(size)} of ${bytes(MOST_BYTES)}: too long, split it into parts`
            : `${bytes(size)} of ${bytes(MOST_BYTES)}`}
          lines={14}
          value={content}
          change={setContent}
          required
        />
        <Choice
          label="Form of the text"
          value={type}
          change={setType}
          options={[["text/markdown", "Markdown"], ["text/plain", "Plain text"]]}
        />
        <OwnerFields value={owner} change={setOwner} />
        <Problem failure={store.failure} />
        <div class="form-actions">
          <button
            type="submit"
            class="button primary"
            disabled={store.running || size > MOST_BYTES}
          >
            {store.running ? "One moment…" : "Store it"}
          </button>
        </div>
      </form>
    </>
  );
}
