/**
 * The format of a saying: a message as people would write it, plus the facts that may and may not
 * be stored.
 */

/**
 * A message, then the expected result. Messages are separated by ` // `; one of another role starts
 * with `assistant:`, `system:` or `developer:`. Expectations are separated by `; `:
 *
 * | item                    | meaning                                                               |
 * | ----------------------- | --------------------------------------------------------------------- |
 * | `lives_in=Porto`        | must be claimed of the user (`lives_in!=Porto`: must be ended)        |
 * | `mei.pet=Tofu`          | must be claimed of another person; `a\|b` are alternatives            |
 * | `?age=3`                | may be claimed                                                        |
 * | `never lives_in=`       | must not be claimed (of the user) with any value, or with this one    |
 * | `has wrist`             | a memory contains this                                                |
 * | `is event\|fact`        | its type                                                              |
 * | `on`, `from`, `to DATE` | the start of its event date, `valid_from`, `valid_to`                 |
 * | `nothing`               | nothing may be stored                                                 |
 * | `tagged`                | the rules alone don't find all of it: read with the tagger            |
 *
 * Other claims must not fill a single-valued slot of the user.
 */
export type Saying = readonly [said: string, follows: string];

/** Sayings by topic. */
export type Sayings = Readonly<Record<string, readonly Saying[]>>;
