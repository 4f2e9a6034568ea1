/** What searches read: SQLite databases with the records, their text indexes and vectors. */

/** Databases for searches. Each project is in one of them. */
export interface SearchGround {
  /** Returns the path of the database file with a project. Call this right after `ready`. */
  database(project: number): string;
  /**
   * Resolves when the database contains everything about a project that was acknowledged before the
   * call. Returns undefined if it always does.
   *
   * @throws ApiError STORAGE_UNAVAILABLE if that takes too long
   */
  ready(project: number): Promise<void> | undefined;
  /** Calls `listener` with the path of each file that has been removed. */
  onRemoved?(listener: (database: string) => void): void;
}
