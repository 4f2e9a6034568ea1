/** Writes buffered entries, in a unit of work for each project. */

/**
 * Writes entries of any projects. SQLite commits these units together. If some fail, the others are
 * still written.
 *
 * @param write writes one project's entries in a unit of work
 * @param restore called with the entries that were not written
 * @throws the first error, once all units have ended
 */
export async function writeByProject<Entry extends { readonly project: number }>(
  entries: readonly Entry[],
  write: (project: number, entries: readonly Entry[]) => Promise<void>,
  restore: (entries: readonly Entry[]) => void,
): Promise<void> {
  const groups = [...Map.groupBy(entries, ({ project }) => project)];
  const outcomes = await Promise.allSettled(
    groups.map(([project, ofProject]) => write(project, ofProject)),
  );
  outcomes.forEach(({ status }, index) => {
    if (status === "rejected") restore(groups[index]![1]);
  });
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
