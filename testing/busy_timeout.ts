/** The timeout for tests that open a running server's database. */

/**
 * Makes SQLite wait for a lock. Server threads take one now and then, and by default SQLite would
 * fail immediately.
 */
export const BUSY_TIMEOUT = { timeout: 60_000 } as const;
