/** The form of a saying: a message as people write it, and what may and may not be remembered of it. */

/**
 * What was said, then what follows from it. Messages are divided by ` // `; one of another role starts
 * with `assistant:`, `system:` or `developer:`. The consequences are divided by `; `:
 *
 * | item                    | meaning                                                              |
 * | ----------------------- | -------------------------------------------------------------------- |
 * | `lives_in=Porto`        | must be claimed of the user (`lives_in!=Porto`: must be ended)       |
 * | `mei.pet=Tofu`          | must be claimed of somebody else; `a\|b` are alternatives            |
 * | `?age=3`                | may be claimed                                                       |
 * | `never lives_in=`       | must not be claimed (of the user) with any value, or with this one   |
 * | `has wrist`             | a memory contains this                                               |
 * | `is event\|fact`        | its type                                                             |
 * | `on`, `from`, `to DATE` | the start of its event date, `valid_from`, `valid_to`                |
 * | `nothing`               | nothing may be stored                                                |
 *
 * Whatever else is claimed must be no single-valued slot of the user's.
 */
export type Saying = readonly [said: string, follows: string];

/** Sayings by what they are about. */
export type Sayings = Readonly<Record<string, readonly Saying[]>>;
