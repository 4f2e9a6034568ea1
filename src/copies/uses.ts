/** When the copies were last searched. */

/** Copies used within this time follow the changes of other processes, in milliseconds. */
const FOLLOWED_MS = 60_000;

/** When each project with a copy was last searched, as far as this process did. */
export class CopyUses {
  readonly #usedAt = new Map<number, number>();
  /** Projects searched within the time that copies are followed for, and others, oldest first. */
  readonly #recent = new Set<number>();

  /** @param now milliseconds since 1970 */
  record(project: number, now: number): void {
    this.#usedAt.set(project, now);
    this.#recent.delete(project);
    this.#recent.add(project);
    this.#forgetOld(now);
  }

  /** Returns when a project was last searched, in milliseconds since 1970. */
  lastUse(project: number): number | undefined {
    return this.#usedAt.get(project);
  }

  /** Returns the projects whose copies follow the changes of other processes. */
  recent(now: number): ReadonlySet<number> {
    this.#forgetOld(now);
    return this.#recent;
  }

  delete(project: number): void {
    this.#usedAt.delete(project);
    this.#recent.delete(project);
  }

  #forgetOld(now: number): void {
    for (const project of this.#recent) {
      if (now - this.#usedAt.get(project)! < FOLLOWED_MS) break;
      this.#recent.delete(project);
    }
  }
}
