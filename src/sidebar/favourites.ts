import { type ISignal, Signal } from '@lumino/signaling';
import { messageOf } from '../base/untrusted';
import type { Settings } from '../base/jupyter/settings';

/** Plots on top of the list: how many were opened lately, besides the favourites. */
const RECENT = 5;

/** The user's favourite plots, which the settings keep, and those that were opened last in this window. */
export class Favourites {
  constructor(
    private readonly settings: Settings,
    private readonly warn: (message: string) => void
  ) {
    settings.changed.connect(this.announce, this);
  }

  /** Ids of the favourites, in the order in which they were chosen. */
  get ids(): readonly string[] {
    return this.settings.values.favourites;
  }

  /** Ids of the plots that were opened last and are no favourites, newest first. */
  get recent(): readonly string[] {
    return this.opened.filter(id => !this.ids.includes(id)).slice(0, RECENT);
  }

  get changed(): ISignal<this, void> {
    return this.changedSignal;
  }

  /** A plot was opened. */
  open(id: string): void {
    if (this.opened[0] !== id) {
      this.opened = [id, ...this.opened.filter(other => other !== id)].slice(0, RECENT + this.ids.length);
      this.announce();
    }
  }

  /** Make a plot a favourite, or no longer. */
  toggle(id: string): void {
    // What is saved is not known before the server has it.
    this.saving = this.saving
      .then(() => {
        const added = this.ids.includes(id) ? [] : [id];
        return this.settings.save('favourites', () => [...this.ids.filter(other => other !== id), ...added]);
      })
      .catch((error: unknown) => this.warn(messageOf(error)));
  }

  private announce(): void {
    this.changedSignal.emit();
  }

  private saving: Promise<void> = Promise.resolve();
  private opened: readonly string[] = [];
  private readonly changedSignal = new Signal<this, void>(this);
}
