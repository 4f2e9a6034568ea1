/** How a test opens a database on which a server runs. */

/**
 * Waits for the lock: threads of the server hold it now and then, where SQLite alone would fail at
 * once.
 */
export const BUSY_TIMEOUT = { timeout: 60_000 } as const;
