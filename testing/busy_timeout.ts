/** The timeout that tests use when they open the database of a running server. */

/**
 * Makes SQLite wait for a lock. Server threads take one now and then, and by default SQLite would
 * fail immediately.
 */
export const BUSY_TIMEOUT = { timeout: 60_000 } as const;
