/** What searches read: a SQLite database with the records, their text indexes and vectors. */

/** A database for searches. */
export interface SearchGround {
  /** Path of the database file. Can be read after the first `ready`. */
  readonly database: string;
  /**
   * Resolves when the database contains everything about a project that was acknowledged before the
   * call. Returns undefined if it always does.
   *
   * @throws ApiError STORAGE_UNAVAILABLE if that takes too long
   */
  ready(project: number): Promise<void> | undefined;
}
