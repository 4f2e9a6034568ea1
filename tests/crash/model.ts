/**
 * A model of what must be stored, based on what the clients know. A memory is identified by its
 * mark, a word that appears in its first text and nowhere else. Its state is everything we should
 * find about it. A command maps states to states, so a cut-off command has exactly two possible
 * outcomes: the states before it, or the states after it.
 */

/** Expected state of a single memory. */
export interface MemoryState {
  /** The row, or null if the memory is deleted. */
  readonly live: LiveRow | null;
  /** The audit trail as lines of text, oldest first. */
  readonly events: readonly string[];
  /** Current feedback. */
  readonly rating: string | null;
}

/** The fields of a row set by commands. */
export interface LiveRow {
  readonly text: string;
  readonly user: string;
  readonly run: string | null;
  readonly importance: number;
}

/** States, keyed by mark. */
export type States = ReadonlyMap<string, MemoryState>;

/** How commands affect states. */
export type Effect =
  | { readonly kind: "add"; readonly texts: readonly string[]; readonly row: Omit<LiveRow, "text"> }
  | { readonly kind: "update"; readonly mark: string; readonly set: Partial<LiveRow> }
  | { readonly kind: "delete"; readonly mark: string }
  | { readonly kind: "delete_scope"; readonly user: string; readonly run: string | null }
  | { readonly kind: "all"; readonly effects: readonly Effect[] }
  | { readonly kind: "rate"; readonly mark: string; readonly rating: string | null };

/** Returns the states changed by an effect, after the change. */
export function applyEffect(states: States, effect: Effect): Map<string, MemoryState> {
  switch (effect.kind) {
    case "add":
      return new Map(effect.texts.map((text) => [markOf(text), {
        live: { ...effect.row, text },
        events: [addedLine(text)],
        rating: null,
      }]));
    case "update":
      return changeStates(states, [effect.mark], (state, live) => {
        const row = { ...live, ...effect.set };
        return { ...state, live: row, events: [...state.events, updatedLine(live.text, row.text)] };
      });
    case "delete":
      return changeStates(states, [effect.mark], deleteMemory);
    case "delete_scope":
      return changeStates(states, marksIn(states, effect.user, effect.run), deleteMemory);
    case "all": {
      const outcome = new Map<string, MemoryState>();
      for (const part of effect.effects) {
        const before = new Map([...states, ...outcome]);
        for (const [mark, state] of applyEffect(before, part)) outcome.set(mark, state);
      }
      return outcome;
    }
    case "rate":
      return changeStates(states, [effect.mark], (state) => rateMemory(state, effect.rating));
  }
}

/** Returns the marks of the live memories that belong to a user or one of the user's runs. */
export function marksIn(states: States, user: string, run: string | null): string[] {
  return [...states].filter(([, { live }]) =>
    live?.user === user && (run === null || live.run === run)
  ).map(([mark]) => mark);
}

/** Returns the first word of a text created by `markedText`. */
export function markOf(text: string): string {
  return text.slice(0, text.indexOf(" "));
}

export function addedLine(text: string | null): string {
  return `ADD ${text}`;
}

export function updatedLine(from: string | null, to: string | null): string {
  return `UPDATE ${from} -> ${to}`;
}

export function deletedLine(text: string | null): string {
  return `DELETE ${text}`;
}

export function feedbackLine(rating: string | null): string {
  return `FEEDBACK ${rating ?? "cleared"}`;
}

/** Returns a whole state as one text, for comparisons. */
export function fingerprint(state: MemoryState | undefined): string {
  if (state === undefined) return "nothing";
  const { live, events, rating } = state;
  const row = live === null ? "gone" : [live.text, live.user, live.run, live.importance];
  return JSON.stringify([row, events, rating]);
}

function changeStates(
  states: States,
  marks: readonly string[],
  change: (state: MemoryState, live: LiveRow) => MemoryState,
): Map<string, MemoryState> {
  return new Map(marks.flatMap((mark) => {
    const state = states.get(mark);
    return state?.live ? [[mark, change(state, state.live)] as const] : [];
  }));
}

function deleteMemory(state: MemoryState, live: LiveRow): MemoryState {
  return { live: null, events: [...state.events, deletedLine(live.text)], rating: null };
}

/** Clearing feedback that isn't set leaves no trace. */
function rateMemory(state: MemoryState, rating: string | null): MemoryState {
  if (rating === null && state.rating === null) return state;
  return { ...state, rating, events: [...state.events, feedbackLine(rating)] };
}
