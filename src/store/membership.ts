/** The processes that use one database: which ones there are, and which one leads. */

/** The lead among the processes: the work that only one of them does at a time. */
export interface Lead {
  /** Checks whether this process should hand over, or has to. */
  shouldYield(): boolean | Promise<boolean>;
  /** Calls `listener` when this process no longer has the lead. */
  onLost(listener: () => void): void;
  release(): void;
}

/** Decides which process leads. */
export interface Election {
  /** Takes the lead. Returns null if another process has it, or should have it. */
  tryLead(): Promise<Lead | null>;
}

/**
 * What a process is: a server, or one that runs alongside, such as MCP over stdio or a command that
 * waits for a task.
 */
export type MemberKind = "server" | "local";

/** How far the search copies of a process are. */
export interface CopyStatus {
  /** Number of projects with a copy. */
  readonly projects: number;
  /** Number of projects whose copies lack more than fits in one step. Their searches wait. */
  readonly filling: number;
  /** Size of all copies, in bytes. */
  readonly bytes: number;
  /** When the last round began that brought all copies up to date. Null before the first one. */
  readonly current_at: string | null;
}

/** A process. */
export interface Member {
  readonly kind: MemberKind;
  readonly id: string;
  readonly version: string;
  /** When it joined. */
  readonly since: string;
  readonly leads: boolean;
  /** Null for a local process, and for a server that hasn't reported them for a while. */
  readonly copies: CopyStatus | null;
}

/** A part of some work that only this process does at present. */
export interface Claim {
  /** Lets another process claim the part. */
  release(): void;
}

/** This process's membership. */
export interface Membership extends Election {
  /** Id of this start of the process, as stored with the leases of its tasks. */
  readonly boot: string;
  /** Makes the process known to the others, until it leaves or ends. */
  join(kind: MemberKind): Promise<void>;
  /**
   * Returns those of the given starts whose processes have been missing for a while. If one of them
   * is running all the same, its lease protects the data.
   */
  goneAmong(boots: readonly string[]): Promise<readonly string[]>;
  /**
   * Claims a numbered part of some work until it's released or this process is gone. Returns null if
   * another process has claimed it. A claim can be lost, so it must only save work.
   */
  claim(work: string, part: number): Promise<Claim | null>;
  /** Returns all processes, the longest-running one first. */
  members(): Promise<readonly Member[]>;
  leave(): Promise<void>;
}
