/** Timeout with which tests open the database of a running server. */

/**
 * Makes SQLite wait for a lock. Threads of the server hold one now and then, and SQLite fails at
 * once by default.
 */
export const BUSY_TIMEOUT = { timeout: 60_000 } as const;
