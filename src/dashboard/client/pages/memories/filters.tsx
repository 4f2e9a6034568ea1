/** Controls for filtering a memory list or search. */

import { type Option, SelectField } from "../../parts/forms/fields.tsx";
import { FilterBar } from "../../parts/forms/filter_bar.tsx";
import { ScopeFields } from "../../parts/forms/scope_fields.tsx";
import {
  FILTER_KEYS,
  hasFilter,
  MODES,
  type SearchForm,
  STRATEGIES,
  TYPES,
  VALIDITIES,
} from "./filter.ts";

export interface FiltersProps {
  readonly form: SearchForm;
  readonly onChange: (form: SearchForm) => void;
}

/** Renders the controls. Search-only ones are shown if there's a query. */
export function Filters({ form, onChange }: FiltersProps) {
  return (
    <FilterBar
      label="Filters"
      activeCount={FILTER_KEYS.filter((key) => form[key] !== undefined).length}
    >
      <ScopeFields value={form} onChange={(scope) => onChange({ ...form, ...scope })} />
      <SelectField
        label="Type"
        options={toOptions(TYPES, "Any")}
        value={form.memory_type ?? ""}
        onChange={(type) => onChange({ ...form, memory_type: parseOption(TYPES, type) })}
      />
      <SelectField
        label="Validity"
        options={toOptions(VALIDITIES, "Any")}
        value={form.validity ?? ""}
        onChange={(validity) => onChange({ ...form, validity: parseOption(VALIDITIES, validity) })}
      />
      {form.q !== undefined && (
        <>
          <SelectField
            label="Order"
            options={toOptions(MODES)}
            value={form.mode ?? "hybrid"}
            onChange={(mode) =>
              onChange({ ...form, mode: mode === "hybrid" ? undefined : parseOption(MODES, mode) })}
          />
          <SelectField
            label="Breadth"
            options={toOptions(STRATEGIES)}
            value={form.strategy ?? "balanced"}
            onChange={(strategy) =>
              onChange({
                ...form,
                strategy: strategy === "balanced" ? undefined : parseOption(STRATEGIES, strategy),
              })}
          />
        </>
      )}
      {hasFilter(form) && (
        <button
          type="button"
          class="button small"
          onClick={() => onChange({ q: form.q, mode: form.mode, strategy: form.strategy })}
        >
          Clear filters
        </button>
      )}
    </FilterBar>
  );
}

function toOptions(names: Readonly<Record<string, string>>, anyLabel?: string): Option[] {
  return [...(anyLabel === undefined ? [] : [["", anyLabel] as const]), ...Object.entries(names)];
}

function parseOption<K extends string>(
  names: Readonly<Record<K, string>>,
  key: string,
): K | undefined {
  return Object.hasOwn(names, key) ? key as K : undefined;
}
