/**
 * What every service depends on. Dependencies are passed in, never imported, so tests can replace
 * each of them.
 */

import type { Clock } from "../kernel/clock.ts";
import type { Cursors } from "../kernel/http/cursor.ts";
import type { Ids } from "../kernel/ids.ts";
import type { Blobs } from "../store/blobs/blobs.ts";
import type { Store } from "../store/store.ts";

/** Storage, time and ids. There's one context per open data directory. */
export interface AppContext {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly cursors: Cursors;
}
