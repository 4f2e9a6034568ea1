/** User, agent and run filters, with suggestions from the project. */

import { useId, useState } from "preact/hooks";
import { useEffect } from "preact/hooks";
import type { Entity } from "../../../../entities/schema.ts";
import type { Page } from "../../api.ts";
import { useResource } from "../../hooks.ts";
import { useProject } from "../../project.ts";

/** The scopes in a form. */
export interface ScopeForm {
  readonly user_id?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly run_id?: string | undefined;
}

/** The fields of a scope, with their labels and types of entity. */
export const SCOPE_FIELDS = [
  ["user_id", "User", "user"],
  ["agent_id", "Agent", "agent"],
  ["run_id", "Run", "run"],
] as const;

export interface ScopeFieldsProps {
  readonly value: ScopeForm;
  readonly onChange: (scope: ScopeForm) => void;
}

/**
 * Renders the three fields. `onChange` is called on blur, on Enter, and when a suggestion is
 * chosen.
 */
export function ScopeFields({ value, onChange }: ScopeFieldsProps) {
  return (
    <>
      {SCOPE_FIELDS.map(([key, label, type]) => (
        <ScopeField
          key={key}
          label={label}
          type={type}
          value={value[key] ?? ""}
          onChange={(text) => onChange({ [key]: text === "" ? undefined : text })}
        />
      ))}
    </>
  );
}

interface ScopeFieldProps {
  readonly label: string;
  readonly type: Entity["type"];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function ScopeField({ label, type, value, onChange }: ScopeFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const known = useKnownEntities(type);
  const commit = (text: string) => text.trim() !== value && onChange(text.trim());
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="input"
        value={typed}
        list={`${id}-known`}
        placeholder="Any"
        autocomplete="off"
        maxLength={256}
        dir="auto"
        onInput={(event) => {
          const text = event.currentTarget.value;
          setTyped(text);
          if (text === "" || known.includes(text)) commit(text);
        }}
        onBlur={() => commit(typed)}
        onKeyDown={(event) => event.key === "Enter" && commit(typed)}
      />
      <datalist id={`${id}-known`}>
        {known.map((id) => <option key={id} value={id} />)}
      </datalist>
    </div>
  );
}

/**
 * Returns the project's newest hundred entities of a given type. If they fail to load, the list is
 * empty, which is fine for mere suggestions.
 */
export function useKnownEntities(type: Entity["type"]): readonly string[] {
  const { id, api } = useProject();
  const { value } = useResource(
    (signal) => api.get<Page<Entity>>("/entities", { type, limit: 100 }, signal),
    [id, type],
  );
  return value?.results.map((entity) => entity.id) ?? [];
}
