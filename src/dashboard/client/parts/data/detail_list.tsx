/** A list of name-value pairs. */

import type { ComponentChildren } from "preact";

/** A name and its value. Null, undefined and empty strings are shown as a dash. */
export type Detail = readonly [name: string, value: ComponentChildren];

export function DetailList({ of }: { of: readonly Detail[] }) {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <div key={name} class="fact">
          <dt>{name}</dt>
          <dd>
            {value === null || value === undefined || value === ""
              ? <span class="faint">–</span>
              : value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
