import type { Kernel } from '@jupyterlab/services';
import type { Milliseconds } from '../../base/units';

/** Between two looks at a link. */
export const LOOK: Milliseconds = 500;
/** A kernel whose picture is seen lets hear of itself every 2 s: after so long without a word it is asked. */
export const ASK_AFTER: Milliseconds = 2_500;
/** A question is overdue after so long. */
export const OVERDUE: Milliseconds = 2_000;
/** Between two questions to the server, and its time for an answer. */
export const SERVER_PATIENCE: Milliseconds = 2_000;
/** JupyterLab may be between two connections for so long without being disconnected. */
export const APART: Milliseconds = 2_000;
/** A server that was away answers again, and the old connection stays silent for so long: it is made anew. */
const MAKE_ANEW: Milliseconds = 3_000;
/** A kernel that does not answer is asked again after so long. */
const ASK_AGAIN: Milliseconds = 30_000;

/**
 * Why a connection to the Jupyter server is lost:
 *
 * - `silent`: the connection is open, but neither kernel nor server answer;
 * - `retrying`: it is closed, and JupyterLab tries to connect again;
 * - `gave-up`: it is closed, and JupyterLab does not try any more.
 */
export type Loss = 'silent' | 'retrying' | 'gave-up';

/** How the link to a kernel is: `good`, the kernel alone does not answer, or the connection to the server is lost. */
export type LinkState = 'good' | 'kernel-silent' | Loss;

/** What a watch does to find out. */
export interface LinkActions {
  /** Ask the kernel for anything; its answer is reported with {@link LinkWatch.heard}. */
  askKernel(): void;
  /** Ask the server; whether it answers within {@link SERVER_PATIENCE}. Never rejects. */
  askServer(): Promise<boolean>;
  /** Connect again: the server answers, but the open connection is dead. */
  reconnect(): void;
}

/** What is known at a look. */
export interface LinkFacts {
  readonly now: Milliseconds;
  readonly connection: Kernel.ConnectionStatus;
  /** Whether anybody sees what comes over the link. */
  readonly watched: boolean;
}

/**
 * Tells a kernel that does not answer from a server that does not.
 *
 * It counts the time between looks, each no longer than twice {@link LOOK}: while the page stands still or the computer
 * sleeps nothing is heard, and that says nothing of the kernel.
 */
export class LinkWatch {
  constructor(private readonly actions: LinkActions) {}

  /** The kernel has said something. */
  heard(): void {
    this.wasConnected = true;
    this.quiet = 0;
    this.askedFor = null;
    this.forgetServer();
  }

  /** The kernel was asked for something, and owes an answer. */
  asked(): void {
    this.askedFor ??= 0;
  }

  /** The kernel restarts: its connection is made anew, however long that takes. */
  restart(): void {
    this.heard();
    this.wasConnected = false;
    this.apartFor = 0;
  }

  /** How the link is now; to be called every {@link LOOK}. */
  look({ now, connection, watched }: LinkFacts): LinkState {
    const passed = Number.isNaN(this.lookedAt) ? 0 : Math.min(now - this.lookedAt, 2 * LOOK);
    this.lookedAt = now;
    return connection === 'connected' ? this.connected(passed, watched) : this.apart(passed, connection);
  }

  private connected(passed: Milliseconds, watched: boolean): LinkState {
    if (!this.wasConnected || this.apartFor > 0) {
      this.apartFor = 0;
      this.heard();
    }
    this.quiet += passed;
    if (this.askedFor !== null) {
      this.askedFor += passed;
    } else if (watched && this.quiet >= ASK_AFTER) {
      this.askedFor = 0;
      this.actions.askKernel();
    } else {
      return 'good';
    }
    // The answer to what nobody waits for, as a renewal of the lease, may take a while.
    if (watched || this.askedFor >= OVERDUE / 2) {
      this.inquire(passed);
    }
    return this.verdict(passed);
  }

  private verdict(passed: Milliseconds): LinkState {
    const { server, wasAway, askedFor } = this;
    if (askedFor === null || askedFor < OVERDUE || server === 'unknown') {
      return 'good';
    }
    if (askedFor >= this.askAgainAt) {
      this.askAgainAt = askedFor + ASK_AGAIN;
      this.actions.askKernel();
    }
    if (!wasAway) {
      return 'kernel-silent';
    }
    this.backFor = server === 'answers' ? this.backFor + passed : 0;
    if (this.backFor >= MAKE_ANEW) {
      this.backFor = Number.NEGATIVE_INFINITY;
      this.actions.reconnect();
    }
    return 'silent';
  }

  private apart(passed: Milliseconds, connection: Kernel.ConnectionStatus): LinkState {
    this.apartFor += passed;
    this.askedFor = null;
    if (connection === 'disconnected') {
      return 'gave-up';
    }
    if (this.wasConnected) {
      return this.apartFor >= APART ? 'retrying' : 'good';
    }
    // A kernel that starts takes its time; only a server that does not answer is lost.
    if (this.apartFor >= APART) {
      this.inquire(passed);
    }
    return this.wasAway && this.server === 'absent' ? 'retrying' : 'good';
  }

  private inquire(passed: Milliseconds): void {
    this.serverAskedFor += passed;
    if (this.serverAskedFor < SERVER_PATIENCE) {
      return;
    }
    this.serverAskedFor = 0;
    const { round } = this;
    void this.actions.askServer().then(answers => {
      if (round === this.round) {
        this.server = answers ? 'answers' : 'absent';
        this.wasAway ||= !answers;
      }
    });
  }

  private forgetServer(): void {
    this.round += 1;
    this.server = 'unknown';
    this.wasAway = false;
    this.backFor = 0;
    this.serverAskedFor = Number.POSITIVE_INFINITY;
    this.askAgainAt = ASK_AGAIN;
  }

  private lookedAt: Milliseconds = Number.NaN;
  /** How long nothing was heard. */
  private quiet: Milliseconds = 0;
  /** How long the kernel owes an answer; `null` while it owes none. */
  private askedFor: Milliseconds | null = null;
  private askAgainAt: Milliseconds = ASK_AGAIN;
  private wasConnected = false;
  /** How long there has been no connection. */
  private apartFor: Milliseconds = 0;
  /** Answers of the server to questions of an earlier silence say nothing now. */
  private round = 0;
  private server: 'unknown' | 'answers' | 'absent' = 'unknown';
  private serverAskedFor: Milliseconds = Number.POSITIVE_INFINITY;
  /** Whether the server did not answer at some time since the kernel was heard. */
  private wasAway = false;
  /** How long it has answered again. */
  private backFor: Milliseconds = 0;
}
