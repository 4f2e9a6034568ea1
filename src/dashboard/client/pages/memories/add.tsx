/** Adding a memory: as it is, or by inference, with what came of it shown on the spot. */

import { useState } from "preact/hooks";
import type { MemoryType, WriteResult } from "../../../../memories/schema.ts";
import { idempotencyKey } from "../../api.ts";
import { useCommand } from "../../live.ts";
import { Choice, SelectField, TextField } from "../../parts/fields.tsx";
import { instantOf } from "../../parts/local_time.ts";
import { PageHead } from "../../parts/page_head.tsx";
import { Problem } from "../../parts/problem.tsx";
import { OwnerFields, type OwnerForm, ownerOf, rememberedOwner } from "../../parts/owner.tsx";
import { useProject } from "../../project.ts";
import { ImportanceField } from "./change.tsx";
import { TYPES } from "./filter.ts";
import { Inferred, Stored } from "./outcome.tsx";

type Way = "infer" | "verbatim";

/** What became of the last text that was sent. */
type Sent =
  | { readonly way: "infer"; readonly eventId: string }
  | { readonly way: "verbatim"; readonly results: readonly WriteResult[] };

const EXAMPLES: Readonly<Record<Way, string>> = {
  infer: "I moved to Porto in May. I love trail running, and I'm allergic to peanuts.",
  verbatim: "Ana prefers window seats on trains",
};

const HINTS: Readonly<Record<Way, string>> = {
  infer:
    "Write as somebody would say it. The lasting facts in it become memories of their own; small talk doesn't. What replaces an older fact ends that one.",
  verbatim: "The text becomes one memory, word for word, at once.",
};

export function AddMemory() {
  const { api, link } = useProject();
  const [way, setWay] = useState<Way>("infer");
  const [content, setContent] = useState("");
  const [owner, setOwner] = useState<OwnerForm>(rememberedOwner);
  const [date, setDate] = useState("");
  const [type, setType] = useState<string>("fact");
  const [importance, setImportance] = useState("0.5");
  const [sent, setSent] = useState<Sent>();
  const add = useCommand(async () => {
    const event_date = instantOf(date);
    const common = { ...ownerOf(owner), ...(event_date === undefined ? {} : { event_date }) };
    const headers = idempotencyKey();
    if (way === "infer") {
      const body = { messages: [{ role: "user", content }], ...common };
      const { event_id } = await api.call<{ event_id: string }>("POST", "/memories", {
        body,
        headers,
      });
      setSent({ way, eventId: event_id });
    } else {
      const verbatim = { memory_type: type as MemoryType, importance: Number(importance) };
      const { results } = await api.call<{ results: WriteResult[] }>("POST", "/memories", {
        body: { content, infer: false, ...common, ...verbatim },
        headers,
      });
      setSent({ way, results });
    }
    setContent("");
  });
  return (
    <>
      <PageHead
        title="Add a memory"
        back={{ href: link("/memories"), title: "Memories" }}
      />
      <form
        class="form narrow"
        onSubmit={(event) => {
          event.preventDefault();
          add.run();
        }}
      >
        <Choice
          label="How it is stored"
          value={way}
          change={(value) => setWay(value as Way)}
          options={[["infer", "Find the facts in it"], ["verbatim", "Keep it word for word"]]}
        />
        <TextField
          label="What should be remembered?"
          hint={HINTS[way]}
          lines={5}
          value={content}
          change={setContent}
          placeholder={EXAMPLES[way]}
          required
          autoFocus
        />
        <OwnerFields value={owner} change={setOwner} />
        <div class="form-row">
          <TextField
            label="When was it said? (now, unless you choose)"
            type="datetime-local"
            value={date}
            change={setDate}
          />
          {way === "verbatim" && (
            <>
              <SelectField
                label="Type"
                value={type}
                change={setType}
                options={Object.entries(TYPES)}
              />
              <ImportanceField value={importance} change={setImportance} />
            </>
          )}
        </div>
        <Problem failure={add.failure} />
        <div class="form-actions">
          <button type="submit" class="button primary" disabled={add.running}>
            {add.running ? "One moment…" : "Add"}
          </button>
        </div>
      </form>
      {sent?.way === "verbatim" && <Stored results={sent.results} />}
      {sent?.way === "infer" && <Inferred key={sent.eventId} eventId={sent.eventId} />}
    </>
  );
}
