/** Hooks that load, refresh and paginate page data. */

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Command, type Page, RequestError } from "./api.ts";

/** Data that is loading, loaded, or failed to load. */
export interface Resource<T> {
  readonly value: T | undefined;
  /** Error from the last attempt. An earlier value can still be shown next to it. */
  readonly failure: RequestError | undefined;
  readonly loading: boolean;
  reload(): void;
}

/**
 * Loads data whenever the dependencies change. With `everyMs`, also reloads at that interval while
 * the page is visible. Never returns a value loaded for other dependencies.
 */
export function useResource<T>(
  load: (signal: AbortSignal) => Promise<T>,
  dependencies: readonly unknown[],
  everyMs?: number,
): Resource<T> {
  const key = JSON.stringify(dependencies);
  const [state, setState] = useState<{ key: string; value?: T; failure?: RequestError }>({ key });
  const [loading, setLoading] = useState(true);
  const [refreshCount, setRefreshCount] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const isRunning = useRef(false);

  useEffect(() => {
    const aborter = new AbortController();
    setLoading(true);
    isRunning.current = true;
    latest.current(aborter.signal).then(
      (value) => setState({ key, value }),
      (error: unknown) => {
        if (aborter.signal.aborted) return;
        if (!(error instanceof RequestError)) throw error;
        setState((before) => ({ ...(before.key === key ? before : { key }), failure: error }));
      },
    ).finally(() => {
      if (aborter.signal.aborted) return;
      isRunning.current = false;
      setLoading(false);
    });
    return () => aborter.abort();
  }, [key, refreshCount]);

  useEffect(() => {
    if (everyMs === undefined) return;
    // Skip this refresh if a load is still in flight. Otherwise, one that takes longer than the
    // interval would be aborted every time and never finish.
    const refresh = () => document.hidden || isRunning.current || setRefreshCount((n) => n + 1);
    const timer = setInterval(refresh, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);

  const current = state.key === key ? state : { key };
  const reload = useCallback(() => setRefreshCount((n) => n + 1), []);
  return { value: current.value, failure: current.failure, loading, reload };
}

/** A list loaded page by page. */
export interface PagedList<T> {
  readonly items: readonly T[] | undefined;
  readonly failure: RequestError | undefined;
  readonly loading: boolean;
  /** Whether there's more to load. */
  readonly hasMore: boolean;
  loadMore(): void;
  reload(): void;
}

/**
 * Loads a list page by page, following its cursors. With `everyMs`, reloads the first page at that
 * interval, adding new items at the top and updating changed ones. `keyOf` identifies an item.
 */
export function usePagedList<T>(
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>,
  dependencies: readonly unknown[],
  options: { readonly keyOf: (item: T) => string; readonly everyMs?: number },
): PagedList<T> {
  const { keyOf, everyMs } = options;
  const first = useResource((signal) => load(undefined, signal), dependencies, everyMs);
  const key = JSON.stringify(dependencies);
  const [more, setMore] = useState<{ key: string; items: readonly T[]; cursor: string | null }>();
  const [loadingMore, setLoadingMore] = useState(false);
  const [failed, setFailed] = useState<{ key: string; failure: RequestError }>();
  const loaded = more?.key === key ? more : undefined;
  const cursor = loaded === undefined ? first.value?.next_cursor ?? null : loaded.cursor;

  const loadMore = () => {
    if (cursor === null || loadingMore) return;
    setLoadingMore(true);
    load(cursor, new AbortController().signal).then((page) => {
      const before = loaded?.items ?? first.value?.results ?? [];
      setMore({ key, items: [...before, ...page.results], cursor: page.next_cursor });
      setFailed(undefined);
    }, (error: unknown) => {
      if (!(error instanceof RequestError)) throw error;
      setFailed({ key, failure: error });
    }).finally(() => setLoadingMore(false));
  };

  return {
    items: mergeItems(first.value?.results, loaded?.items, keyOf),
    failure: first.failure ?? (failed?.key === key ? failed.failure : undefined),
    loading: first.loading || loadingMore,
    hasMore: cursor !== null,
    loadMore,
    reload: () => {
      setMore(undefined);
      setFailed(undefined);
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

/** A command's state. It can be running or have failed. */
export interface Mutation<A extends readonly unknown[]> {
  readonly running: boolean;
  readonly failure: RequestError | undefined;
  run(...args: A): void;
  /** Clears the error. */
  clear(): void;
}

/**
 * Runs a command, one call at a time. Errors end up in `failure`, to be shown next to the control
 * that started it.
 */
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

/** Returns the command that a control of the page sends, to be passed to its calls. */
export function useCommand(): Command {
  return useState(() => new Command())[0];
}
