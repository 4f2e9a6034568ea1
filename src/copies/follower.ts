/** Brings copies up to changes of other processes, so that the next search has less to wait for. */

import { systemTimers } from "../kernel/timers.ts";

/** How long to collect changes before copies follow them, in milliseconds. */
const FOLLOW_DELAY_MS = 200;

/** Follows what other processes have changed, until stopped. */
export class CopyFollower {
  readonly #catchUp: (project: number) => Promise<void>;
  /** Projects that other processes have changed. */
  readonly #behind = new Set<number>();
  /** Whether copies are about to follow. */
  #isFollowing = false;
  #isStopped = false;
  #cancel = () => {};

  /** @param catchUp brings a copy up. If it fails, the next search does it */
  constructor(catchUp: (project: number) => Promise<void>) {
    this.#catchUp = catchUp;
  }

  /** Brings up the copies of projects soon. */
  follow(projects: readonly number[]): void {
    for (const project of projects) this.#behind.add(project);
    if (this.#behind.size === 0 || this.#isFollowing || this.#isStopped) return;
    this.#isFollowing = true;
    this.#cancel = systemTimers.after(FOLLOW_DELAY_MS, () => {
      const behind = [...this.#behind];
      this.#behind.clear();
      Promise.allSettled(behind.map((project) => this.#followOne(project)))
        .finally(() => {
          this.#isFollowing = false;
          if (this.#behind.size > 0) this.follow([]);
        });
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  async #followOne(project: number): Promise<void> {
    if (!this.#isStopped) await this.#catchUp(project);
  }
}
