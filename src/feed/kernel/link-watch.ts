import type { Kernel } from '@jupyterlab/services';
import type { Milliseconds } from '../../base/units';

/** Interval between checks of a link. */
export const LOOK: Milliseconds = 500;
/** A kernel with a visible picture sends something every 2 s: after this long without a message it is asked. */
const ASK_AFTER: Milliseconds = 2_500;
/** A request is overdue after this long. */
const OVERDUE: Milliseconds = 2_000;
/** Interval of requests to the server while something visible waits, and their timeout. */
export const SERVER_PATIENCE: Milliseconds = 2_000;
/** Interval of requests to the server while only answers are missing that nothing visible waits for. */
const SELDOM: Milliseconds = 10_000;
/** JupyterLab may be between two connections for this long without counting as disconnected. */
const APART: Milliseconds = 2_000;
/** When a server answers again but the old connection stays silent for this long, it is replaced. */
const RECONNECT_AFTER: Milliseconds = 3_000;
/** A kernel that does not answer is asked again after this long. */
const ASK_AGAIN: Milliseconds = 30_000;
/** The kernel is blamed this long after a request unless it has answered over another connection by then. */
const DECIDED: Milliseconds = 3_500;
/** Minimum interval between requests over another connection, which costs the server more than a request. */
const ELSEWHERE_AGAIN: Milliseconds = 60_000;
/**
 * A connection over which the kernel has not answered for this long, but over another one, is replaced. Not sooner: a large
 * output of a cell may be arriving over it, and would be lost.
 */
const REPLACE_AFTER: Milliseconds = 60_000;

/**
 * Why a connection to the Jupyter server is lost:
 *
 * - `silent`: the connection is open, but neither kernel nor server answer;
 * - `held-up`: it is open, and the kernel answers over another connection, but not over this one;
 * - `retrying`: it is closed, and JupyterLab tries to connect again;
 * - `gave-up`: it is closed, and JupyterLab does not try any more.
 */
export type Loss = 'silent' | 'held-up' | 'retrying' | 'gave-up';

/** State of the link to a kernel: good, only the kernel does not answer, or the connection to the server is lost. */
export type LinkState = 'good' | 'kernel-silent' | Loss;

/** Actions of a watch. */
export interface LinkActions {
  /** Send the kernel any request; its answer is reported with {@link LinkWatch.heard}. */
  askKernel(): void;
  /** Ask the server; returns whether it answers within {@link SERVER_PATIENCE}. Never rejects. */
  askServer(): Promise<boolean>;
  /** Ask the kernel over another connection; returns whether it answers there, and not here. Never rejects. */
  askElsewhere(): Promise<boolean>;
  /** Reconnect: the server answers, but the open connection is dead. */
  reconnect(): void;
}

/** Input of a check. */
export interface LinkFacts {
  readonly now: Milliseconds;
  readonly connection: Kernel.ConnectionStatus;
  /** Whether the link has a visible subscriber. */
  readonly watched: boolean;
}

/**
 * Distinguishes a kernel that does not answer from a server that does not, and from a connection that is dead.
 *
 * It sums the time between checks, each limited to twice {@link LOOK}: while the page is suspended or the computer
 * sleeps nothing is received, which does not mean that the kernel is silent.
 */
export class LinkWatch {
  constructor(private readonly actions: LinkActions) {}

  /** The kernel sent a message. */
  heard(): void {
    this.wasConnected = true;
    this.quiet = 0;
    this.askedFor = null;
    this.forgetAnswers();
  }

  /** The kernel received a request and owes an answer. */
  asked(): void {
    this.askedFor ??= 0;
  }

  /** The kernel restarts: its connection is replaced, however long that takes. */
  restart(): void {
    this.heard();
    this.wasConnected = false;
    this.apartFor = 0;
  }

  /** Current state of the link; call every {@link LOOK}. */
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
    this.elsewhereAge += passed;
    if (this.askedFor !== null) {
      this.askedFor += passed;
    } else if (watched && this.quiet >= ASK_AFTER) {
      this.askedFor = 0;
      this.actions.askKernel();
    } else {
      return 'good';
    }
    // Answers that nothing waits for, such as to a renewal, may take a while.
    if (watched || this.askedFor >= OVERDUE / 2) {
      this.inquire(passed, watched ? SERVER_PATIENCE : SELDOM);
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
      return this.silentSide(askedFor);
    }
    this.backFor = server === 'answers' ? this.backFor + passed : 0;
    if (this.backFor >= RECONNECT_AFTER) {
      this.backFor = Number.NEGATIVE_INFINITY;
      this.actions.reconnect();
    }
    return 'silent';
  }

  /** Whether the kernel or only this connection is silent, where the server answers. */
  private silentSide(askedFor: Milliseconds): LinkState {
    if (this.elsewhere === 'answers') {
      if (askedFor >= REPLACE_AFTER && !this.replaced) {
        this.replaced = true;
        this.actions.reconnect();
      }
      return 'held-up';
    }
    if (this.elsewhereAge >= ELSEWHERE_AGAIN) {
      this.elsewhereAge = 0;
      this.elsewhere = 'asked';
      const { round } = this;
      void this.actions.askElsewhere().then(answers => {
        if (round === this.round) {
          this.elsewhere = answers ? 'answers' : 'silent';
        }
      });
    }
    return this.elsewhere === 'asked' && askedFor < DECIDED ? 'good' : 'kernel-silent';
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
    // A starting kernel takes time; only a server that does not answer is lost.
    if (this.apartFor >= APART) {
      this.inquire(passed, SERVER_PATIENCE);
    }
    return this.wasAway && this.server === 'absent' ? 'retrying' : 'good';
  }

  private inquire(passed: Milliseconds, interval: Milliseconds): void {
    this.serverAskedFor += passed;
    if (this.serverAskedFor < interval) {
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

  private forgetAnswers(): void {
    this.round += 1;
    this.elsewhere = 'unknown';
    this.replaced = false;
    this.server = 'unknown';
    this.wasAway = false;
    this.backFor = 0;
    this.serverAskedFor = Number.POSITIVE_INFINITY;
    this.askAgainAt = ASK_AGAIN;
  }

  private lookedAt: Milliseconds = Number.NaN;
  /** Time since the last message. */
  private quiet: Milliseconds = 0;
  /** How long the kernel has owed an answer; `null` if it owes none. */
  private askedFor: Milliseconds | null = null;
  private askAgainAt: Milliseconds = ASK_AGAIN;
  private wasConnected = false;
  /** How long there has been no connection. */
  private apartFor: Milliseconds = 0;
  /** Ignore answers to requests to the server, or over another connection, from an earlier silence. */
  private round = 0;
  private server: 'unknown' | 'answers' | 'absent' = 'unknown';
  private serverAskedFor: Milliseconds = Number.POSITIVE_INFINITY;
  /** Whether the server has failed to answer since the kernel's last message. */
  private wasAway = false;
  /** How long it has been answering again. */
  private backFor: Milliseconds = 0;
  private elsewhere: 'unknown' | 'asked' | 'answers' | 'silent' = 'unknown';
  /** Time since the last request over another connection. */
  private elsewhereAge: Milliseconds = Number.POSITIVE_INFINITY;
  private replaced = false;
}
