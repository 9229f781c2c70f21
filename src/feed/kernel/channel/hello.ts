import type { Milliseconds } from '../../../base/units';
import { Refusal, type Reply } from '../ask-kernel';
import type { KernelRequests } from './requests';

/** Retry interval of a hello without an answer, or refused. */
const AGAIN: Milliseconds = 10_000;
/** An idle kernel that has missed this many is unreachable. */
const MISSES: number = 3;

const UNREACHABLE =
  'The kernel is idle and does not answer on its control channel: something between may hold messages back. A server with allowed_message_types must allow debug_request and debug_reply.';

/** What comes of a hello. */
export interface HelloEvents {
  /** One was sent: the kernel owes an answer. */
  asked(): void;
  accepted(body: Reply): void;
  refused(refusal: Refusal): void;
  /** @param reason - why the kernel is unreachable, for users; `null` while it may only be busy */
  missed(reason: string | null): void;
}

/**
 * The first question to a kernel: whether it has the bridge, and of which version.
 *
 * Guarantees: one hello is pending at a time; an answer to one from before {@link forget}, when kernel or connection were
 * others, is ignored.
 */
export class Hello {
  constructor(
    private readonly requests: KernelRequests,
    private readonly events: HelloEvents
  ) {}

  /** Ask, unless an answer is pending or there is no connection. */
  send(): void {
    const { requests } = this;
    const { kernel } = requests;
    if (requests.isDisposed || kernel === null || !requests.connected || this.pending !== null) {
      return;
    }
    this.events.asked();
    const asked = {};
    this.pending = asked;
    this.sentAt = performance.now();
    const settle = (act: () => void): void => {
      if (this.pending === asked && !requests.isDisposed) {
        this.pending = null;
        act();
      }
    };
    requests.ask('hello', {}, AGAIN).then(
      body =>
        settle(() => {
          this.misses = 0;
          this.events.accepted(body);
        }),
      (error: unknown) =>
        settle(() => {
          this.misses = error instanceof Refusal || kernel.status !== 'idle' ? 0 : this.misses + 1;
          if (error instanceof Refusal) {
            this.events.refused(error);
          } else {
            this.events.missed(this.misses < MISSES ? null : UNREACHABLE);
          }
        })
    );
  }

  /** Ignore the answer to the pending hello: kernel, connection or bridge have changed. */
  forget(): void {
    this.pending = null;
  }

  /** Another kernel process is asked from now on. */
  restart(): void {
    this.forget();
    this.misses = 0;
  }

  /** Whether it is time to ask again. */
  due(now: Milliseconds): boolean {
    return now - this.sentAt > AGAIN;
  }

  private pending: object | null = null;
  private misses = 0;
  private sentAt: Milliseconds = 0;
}
