import type { Bytes, BytesPerSecond, Seconds } from '../../base/units';
import type { TopicBody } from '../../feed/frame';
import { listOf, numberOf, textOf } from '../../base/untrusted';
import { HARDWARE_KIND, type HardwareKind } from '../../feed/schema';

/** How far a measurement is; `none` before the first. */
export type HardwareState = 'none' | 'running' | 'done' | 'failed';
const STATES: readonly string[] = ['none', 'running', 'done', 'failed'] satisfies readonly HardwareState[];

/** What one worker reached with blocks of one size. */
export interface HardwareRate {
  readonly worker: number;
  readonly kind: HardwareKind;
  /** The worker that it sent to; -1 if none. */
  readonly peer: number;
  readonly size: Bytes;
  readonly rate: BytesPerSecond;
}

/** A part of a measurement that failed. All texts are untrusted. */
export interface HardwareFailure {
  readonly address: string;
  readonly kind: string;
  readonly reason: string;
}

/** The newest measurement of the workers' memory, disk and network; see topic `hardware` of the schema. */
export class Hardware {
  state: HardwareState = 'none';
  /** What is measured now. */
  stage = '';
  /** Start and end; NaN if there is none. */
  started: Seconds = Number.NaN;
  ended: Seconds = Number.NaN;
  /** Workers that were there at its start. */
  workers = 0;
  /** Parts that failed, of which the first are listed. */
  failed = 0;
  failures: readonly HardwareFailure[] = [];
  list: readonly HardwareRate[] = [];

  apply({ columns, scalars }: TopicBody): void {
    const state = textOf(scalars.state);
    this.state = STATES.includes(state) ? (state as HardwareState) : 'none';
    this.stage = textOf(scalars.stage);
    this.started = numberOf(scalars.started, Number.NaN);
    this.ended = numberOf(scalars.ended, Number.NaN);
    this.workers = numberOf(scalars.workers);
    this.failed = numberOf(scalars.failed);
    this.failures = listOf(scalars.failures).map(entry => {
      const [address, kind, reason] = listOf(entry).map(textOf);
      return { address: address ?? '', kind: kind ?? '', reason: reason ?? '' };
    });
    const { worker, kind, peer, size, rate } = columns;
    this.list = Array.from({ length: worker?.length ?? 0 }, (_, i) => ({
      worker: worker[i],
      kind: HARDWARE_KIND[kind?.[i] ?? 0] ?? 'disk',
      peer: (peer?.[i] ?? 0) - 1,
      size: size?.[i] ?? Number.NaN,
      rate: rate?.[i] ?? Number.NaN
    })).filter(each => each.size > 0 && each.rate >= 0);
  }

  /** An independent copy: lists are replaced as a whole. */
  copy(): Hardware {
    return Object.assign(new Hardware(), this);
  }

  clear(): void {
    Object.assign(this, new Hardware());
  }
}
