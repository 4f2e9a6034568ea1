/**
 * Notices between processes: which channels were notified, and for which projects. They only save
 * waiting. Every listener also polls, so a notice that gets lost does no harm. Processes also report
 * how far their search copies are, for people to see.
 *
 * They are sent after the commit rather than with it: `notify` in a transaction takes a lock of the
 * whole server at the commit, so commits would wait for each other (5,600 commits/s became 2,000).
 */

import { parseTimestamp } from "../../kernel/clock.ts";
import { systemTimers } from "../../kernel/timers.ts";
import type { CopyStatus } from "../membership.ts";
import type { Channel, Owner } from "../store.ts";

/** How often a process sends a notice at most, in milliseconds. */
const INTERVAL_MS = 20;

/** The server accepts payloads of up to 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7_000;

/** Channels that other processes are notified of. Each process collects its own garbage. */
const SHARED_CHANNELS: ReadonlySet<Channel> = new Set(["tasks", "journal"]);

/** A notice of another process. */
export interface Notice {
  readonly channels: readonly Channel[];
  /** Projects that have changed. Null if there are too many to list. */
  readonly projects: readonly number[] | null;
}

interface Message extends Notice {
  /** Boot of the sender, which hears its own notices too. */
  readonly from: string;
}

/**
 * Returns the notice in a payload. Null if this process has sent it, or if it isn't a notice: every
 * role of the database can send to the channel.
 */
export function readNotice(payload: string, boot: string): Notice | null {
  try {
    const { from, channels, projects } = JSON.parse(payload) as Message;
    const isNotice = Array.isArray(channels) && (projects === null || Array.isArray(projects));
    return from === boot || !isNotice ? null : { channels, projects };
  } catch {
    return null;
  }
}

/** What a process reports of its search copies. */
export interface CopyReport {
  /** Boot of the process. */
  readonly from: string;
  readonly copies: CopyStatus;
}

/** Returns the report in a payload, or null if it isn't one. */
export function readCopyReport(payload: string): CopyReport | null {
  try {
    const { from, copies } = JSON.parse(payload) as CopyReport;
    const { projects, filling, bytes, current_at } = copies;
    const isReport = typeof from === "string" && [projects, filling, bytes].every(isCount) &&
      (current_at === null || parseTimestamp(current_at) !== null);
    return isReport ? { from, copies: { projects, filling, bytes, current_at } } : null;
  } catch {
    return null;
  }
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** Collects notices, and sends them together. */
export class NoticeSender {
  readonly #boot: string;
  readonly #send: (payload: string) => void;
  #channels = new Set<Channel>();
  #projects = new Set<number>();
  #isWaiting = false;
  #cancel = () => {};

  /** @param send sends a payload to the other processes */
  constructor(boot: string, send: (payload: string) => void) {
    this.#boot = boot;
    this.#send = send;
  }

  /** Sends a notice of a commit, now or a little later. */
  add(channels: ReadonlySet<Channel>, owner: Owner): void {
    const shared = channels.intersection(SHARED_CHANNELS);
    if (shared.size === 0) return;
    for (const channel of shared) this.#channels.add(channel);
    if (typeof owner === "number") this.#projects.add(owner);
    if (!this.#isWaiting) this.#flush();
  }

  /** Sends nothing more. */
  close(): void {
    this.#isWaiting = true;
    this.#cancel();
  }

  #flush(): void {
    this.#isWaiting = this.#channels.size > 0;
    if (!this.#isWaiting) return;
    const message = { from: this.#boot, channels: [...this.#channels] };
    const payload = JSON.stringify({ ...message, projects: [...this.#projects] } satisfies Message);
    this.#channels = new Set();
    this.#projects = new Set();
    this.#send(
      payload.length <= MAX_PAYLOAD_BYTES
        ? payload
        : JSON.stringify({ ...message, projects: null } satisfies Message),
    );
    this.#cancel = systemTimers.after(INTERVAL_MS, () => this.#flush());
  }
}
