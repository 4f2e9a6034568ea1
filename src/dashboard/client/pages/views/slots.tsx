/** The slots to choose from: subjects and their attributes. */

import type { Slot } from "../../../browse/schema.ts";
import { useResource } from "../../hooks.ts";
import { EmptyState } from "../../parts/feedback/empty_state.tsx";
import { formatCount } from "../../parts/data/number_format.ts";
import { ErrorMessage } from "../../parts/feedback/error_message.tsx";
import type { ScopeForm } from "../../parts/forms/scope_fields.tsx";
import { LoadingRows } from "../../parts/data/table.tsx";
import { useProject } from "../../project.ts";
import type { ComponentChildren } from "preact";
import { attributeText } from "./view_texts.ts";

/** A subject and an attribute. */
export interface ChosenSlot {
  readonly subject: string;
  readonly attribute: string;
}

export interface SlotsProps {
  readonly scope: ScopeForm;
  readonly query: URLSearchParams;
  /** Path to the view's page, e.g. `/views/state`. */
  readonly path: string;
  /** Renders the chosen slot. Defaults to the one with the most memories. */
  readonly children: (slot: ChosenSlot) => ComponentChildren;
}

export function Slots({ scope, query, path, children }: SlotsProps) {
  const { id, api, link } = useProject();
  const slots = useResource(
    (signal) => api.get<{ results: Slot[] }>("/browse/slots", { ...scope }, signal),
    [id, scope],
  );
  if (slots.value === undefined) {
    return slots.failure === undefined
      ? <LoadingRows />
      : <ErrorMessage failure={slots.failure} onRetry={slots.reload} />;
  }
  const { results } = slots.value;
  const [subject, attribute] = [query.get("subject"), query.get("attribute")];
  const chosen = subject && attribute
    ? { subject, attribute }
    : results.toSorted((a, b) => b.memories - a.memories)[0];
  if (chosen === undefined) {
    return (
      <EmptyState icon="view" title="No statements yet">
        None of these memories states an attribute of someone or something. “I live in Porto” does;
        “The meeting went well” does not.
      </EmptyState>
    );
  }
  // The speaker comes first: most facts are about the speaker.
  const bySubject = [...Map.groupBy(results, (slot) => slot.subject)]
    .sort(([a], [b]) => Number(b === "user") - Number(a === "user"));
  return (
    <div class="slots-columns">
      <nav class="slots" aria-label="Subjects and attributes">
        {bySubject.map(([subject, slots]) => (
          <section key={subject}>
            <h2 dir="auto">{subject}</h2>
            <ul>
              {slots.map(({ attribute, memories }) => (
                <li key={attribute}>
                  <a
                    href={link(path, { ...scope, subject, attribute })}
                    aria-current={subject === chosen.subject && attribute === chosen.attribute
                      ? "true"
                      : undefined}
                  >
                    <span dir="auto">{attributeText(attribute)}</span>
                    <span class="faint">
                      {formatCount(memories)} <span class="sr-only">memories</span>
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <div class="slot">{children(chosen)}</div>
    </div>
  );
}
