/** What a page shows of the service: loaded, kept fresh, and paged. */

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type Page, RequestError } from "./api.ts";

/** Something that is loaded: still on its way, there, or failed. */
export interface Resource<T> {
  readonly value: T | undefined;
  /** Of the last attempt; a value from before may still be shown beside it. */
  readonly failure: RequestError | undefined;
  readonly loading: boolean;
  reload(): void;
}

/**
 * Loads something when what it depends on changes and, with `everyMs`, again and again while the
 * page is seen. A value of other dependencies is never shown.
 */
export function useResource<T>(
  load: (signal: AbortSignal) => Promise<T>,
  dependencies: readonly unknown[],
  everyMs?: number,
): Resource<T> {
  const key = JSON.stringify(dependencies);
  const [state, setState] = useState<{ key: string; value?: T; failure?: RequestError }>({ key });
  const [loading, setLoading] = useState(true);
  const [turn, setTurn] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const underWay = useRef(false);

  useEffect(() => {
    const aborter = new AbortController();
    setLoading(true);
    underWay.current = true;
    latest.current(aborter.signal).then(
      (value) => setState({ key, value }),
      (error: unknown) => {
        if (aborter.signal.aborted) return;
        if (!(error instanceof RequestError)) throw error;
        setState((before) => ({ ...(before.key === key ? before : { key }), failure: error }));
      },
    ).finally(() => {
      if (aborter.signal.aborted) return;
      underWay.current = false;
      setLoading(false);
    });
    return () => aborter.abort();
  }, [key, turn]);

  useEffect(() => {
    if (everyMs === undefined) return;
    // Never into a load that is under way: one that takes longer than this would never end.
    const look = () => document.hidden || underWay.current || setTurn((n) => n + 1);
    const timer = setInterval(look, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);

  const current = state.key === key ? state : { key };
  const reload = useCallback(() => setTurn((n) => n + 1), []);
  return { value: current.value, failure: current.failure, loading, reload };
}

/** A list that grows page by page. */
export interface PagedList<T> {
  readonly items: readonly T[] | undefined;
  readonly failure: RequestError | undefined;
  readonly loading: boolean;
  /** Whether there is more than what was loaded. */
  readonly hasMore: boolean;
  loadMore(): void;
  reload(): void;
}

/**
 * Loads a list by its cursors. With `everyMs` the first page is looked at again and again: what is
 * new is put before, and what has changed is shown as it is now (`keyOf` tells items apart).
 */
export function usePagedList<T>(
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>,
  dependencies: readonly unknown[],
  options: { readonly keyOf: (item: T) => string; readonly everyMs?: number },
): PagedList<T> {
  const { keyOf, everyMs } = options;
  const first = useResource((signal) => load(undefined, signal), dependencies, everyMs);
  const key = JSON.stringify(dependencies);
  const [rest, setRest] = useState<{ key: string; items: readonly T[]; cursor: string | null }>();
  const [growing, setGrowing] = useState(false);
  const [failure, setFailure] = useState<RequestError>();
  const mine = rest?.key === key ? rest : undefined;
  const cursor = mine === undefined ? first.value?.next_cursor ?? null : mine.cursor;

  const loadMore = () => {
    if (cursor === null || growing) return;
    setGrowing(true);
    load(cursor, new AbortController().signal).then((page) => {
      const before = mine?.items ?? first.value?.results ?? [];
      setRest({ key, items: [...before, ...page.results], cursor: page.next_cursor });
      setFailure(undefined);
    }, (error: unknown) => {
      if (!(error instanceof RequestError)) throw error;
      setFailure(error);
    }).finally(() => setGrowing(false));
  };

  return {
    items: mergeItems(first.value?.results, mine?.items, keyOf),
    failure: first.failure ?? failure,
    loading: first.loading || growing,
    hasMore: cursor !== null,
    loadMore,
    reload: () => {
      setRest(undefined);
      first.reload();
    },
  };
}

function mergeItems<T>(
  fresh: readonly T[] | undefined,
  known: readonly T[] | undefined,
  keyOf: (item: T) => string,
): readonly T[] | undefined {
  if (fresh === undefined || known === undefined) return fresh;
  const seen = new Set(fresh.map(keyOf));
  return [...fresh, ...known.filter((item) => !seen.has(keyOf(item)))];
}

/** A command that somebody gives: under way, or failed. */
export interface Mutation<A extends readonly unknown[]> {
  readonly running: boolean;
  readonly failure: RequestError | undefined;
  run(...args: A): void;
  /** Forgets the failure. */
  clear(): void;
}

/** Runs a command once at a time; what it throws is shown where it was given. */
export function useMutation<A extends readonly unknown[]>(
  work: (...args: A) => Promise<void>,
): Mutation<A> {
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<RequestError>();
  return {
    running,
    failure,
    clear: () => setFailure(undefined),
    run: (...args) => {
      if (running) return;
      setRunning(true);
      setFailure(undefined);
      work(...args).catch((error: unknown) => {
        if (!(error instanceof RequestError)) throw error;
        setFailure(error);
      }).finally(() => setRunning(false));
    },
  };
}
