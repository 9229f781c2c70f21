import type { IDisposable } from '@lumino/disposable';
import type { Theme } from '../../base/theme';
import type { Milliseconds } from '../../base/units';
import type { LiveClient } from '../../clients/model';
import { AdviceLine, type LineOptions } from '../../plot-frame/advice-line';
import type { Translate } from '../../plot/plot';
import { Strip } from './strip';

/** What a card shows of the last minutes: a picture of busy threads, and a line of advice. Both need the executed tasks. */
export class History implements IDisposable {
  readonly strip: Strip;
  readonly line: AdviceLine;

  /** @param open - opens a plot */
  constructor(trans: Translate, open: LineOptions['open']) {
    this.strip = new Strip(trans, open);
    this.line = new AdviceLine(trans, { open });
  }

  get isDisposed(): boolean {
    return this.strip.isDisposed;
  }

  /** Show another client, or none; nothing is fetched before {@link update}. */
  show(live: LiveClient | null): void {
    this.strip.show(live);
    this.line.about(live);
  }

  /** Fetch nothing while not visible. */
  rest(): void {
    this.strip.rest();
    this.line.rest();
  }

  /** Update both, while visible. */
  update(theme: Theme, now: Milliseconds): void {
    this.strip.update(theme, now);
    this.line.update(now);
    this.line.node.previousElementSibling?.toggleAttribute('hidden', !this.line.hasText);
  }

  dispose(): void {
    this.strip.dispose();
    this.line.dispose();
  }
}
