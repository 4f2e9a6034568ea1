/**
 * Model of what must be stored according to the clients. A memory is identified by its mark, a word
 * that appears in its first text and nowhere else. Its state is everything that should be found
 * about it. A command maps states to states, so a command that was cut off has exactly two possible
 * outcomes: the states before it, or those after it.
 */

/** Expected state of one memory. */
export interface MemoryState {
  /** Row, or null if the memory is deleted. */
  readonly live: LiveRow | null;
  /** Audit trail as text lines, oldest first. */
  readonly events: readonly string[];
  /** Current feedback. */
  readonly rating: string | null;
}

/** Fields of a row that commands set. */
export interface LiveRow {
  readonly text: string;
  readonly user: string;
  readonly run: string | null;
  readonly importance: number;
}

/** States by mark. */
export type States = ReadonlyMap<string, MemoryState>;

/** Effects of commands on states. */
export type Effect =
  | { readonly kind: "add"; readonly texts: readonly string[]; readonly row: Omit<LiveRow, "text"> }
  | { readonly kind: "update"; readonly mark: string; readonly set: Partial<LiveRow> }
  | { readonly kind: "delete"; readonly mark: string }
  | { readonly kind: "delete_scope"; readonly user: string; readonly run: string | null }
  | { readonly kind: "all"; readonly effects: readonly Effect[] }
  | { readonly kind: "rate"; readonly mark: string; readonly rating: string | null };

/** Returns the states that an effect changes, as they are afterwards. */
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

/** Returns the marks of the live memories of a user, or of one run of the user. */
export function marksIn(states: States, user: string, run: string | null): string[] {
  return [...states].filter(([, { live }]) =>
    live?.user === user && (run === null || live.run === run)
  ).map(([mark]) => mark);
}

/** Returns the first word of a text made by `markedText`. */
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

/** Returns one text for everything in a state, for comparisons. */
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
