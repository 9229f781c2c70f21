import { catalogueText } from '../plot/translation';
import type { IDisposable } from '@lumino/disposable';
import { element, setText } from '../base/element';
import { readTheme } from '../base/theme';
import { ticker } from '../base/ticker';
import type { Topic } from '../feed/schema';
import { type CardServices, PlotCard } from '../plot-frame/plot-card';
import { notesOf } from '../plot-frame/plot-tools';
import { topicsOf } from '../plot/options';
import type { Plot, PlotContext } from '../plot/plot';
import { openChoices } from './choices';

/** One plot in a report, with its notes. The picture is created when the card is first shown. */
export class Card extends PlotCard {
  constructor(plot: Plot, services: CardServices) {
    const { trans } = services;
    const notes = element('div', { class: 'dp-Report-notes' });
    super(plot, services, {
      className: 'dp-Report-card',
      heading: element('h2', {
        class: 'dp-Report-name',
        text: catalogueText(trans, plot.title),
        title: catalogueText(trans, plot.caption)
      }),
      foot: notes,
      openMenu: openChoices
    });
    this.notes = notes;
    this.node.id = `dp-plot-${plot.id}`;
  }

  /** The card became visible or hidden. */
  override setVisible(visible: boolean): void {
    if (visible && !this.shown) {
      this.show();
      this.retheme();
    }
    super.setVisible(visible);
    this.ticking?.dispose();
    this.ticking = visible ? ticker.listen(() => this.tick()) : null;
    if (visible) {
      this.redraw();
    }
  }

  override dispose(): void {
    this.ticking?.dispose();
    this.ticking = null;
    super.dispose();
  }

  /** The page's colours changed. */
  retheme(): void {
    if (this.shown) {
      this.setTheme(readTheme(this.node));
    }
  }

  protected override write(context: PlotContext): void {
    const { run } = this.services;
    this.written = new Map(topicsOf(this.plot, context.options).map(topic => [topic, run.version(topic)]));
    super.write(context);
    setText(this.notes, notesOf(this.plot, run, context).join(' · '));
  }

  /** Texts follow the clock four times per second; pictures have a separate rate. */
  private tick(): void {
    const { run } = this.services;
    if ([...this.written].some(([topic, version]) => run.version(topic) !== version)) {
      this.redraw();
    }
  }

  private readonly notes: HTMLElement;
  private ticking: IDisposable | null = null;
  /** Versions of the topics when the texts were built. */
  private written: ReadonlyMap<Topic, number> = new Map();
}
