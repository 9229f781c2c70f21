import { DisposableDelegate, type IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import { TOPICS } from '../feed/schema';
import type { Plot } from '../plot/plot';

/** Ids are saved in workspaces and notebooks, and are parts of ids of widgets. */
const ID = /^[a-z][a-z0-9]*(?:[-.:][a-z0-9]+)*$/;
const LONGEST_ID = 100;

/** What can be opened by its id: ours, and what other extensions register. */
export class Catalogue<T extends { readonly id: string }> {
  /** @param ours - each with an id of its own */
  constructor(private readonly ours: readonly T[]) {}

  /** Ours first, then the others in the order in which they were registered. */
  get all(): readonly T[] {
    return [...this.ours, ...this.others];
  }

  /** Something was registered, or its registration was disposed. */
  get changed(): ISignal<this, void> {
    return this.changedSignal;
  }

  /** What an id names; `undefined` where a saved workspace names what is not here. */
  find(id: string): T | undefined {
    return this.all.find(item => item.id === id);
  }

  /**
   * Register something.
   *
   * @returns takes it away when disposed
   * @throws Error where its id is not one, or is taken
   */
  add(item: T): IDisposable {
    if (!ID.test(item.id) || item.id.length > LONGEST_ID) {
      throw new Error(`"${item.id}" is not an id: use lower case letters, figures, and - . : between them.`);
    }
    if (this.find(item.id) !== undefined) {
      throw new Error(`The id "${item.id}" is taken: put the name of your extension before it.`);
    }
    this.others.push(item);
    this.changedSignal.emit();
    return new DisposableDelegate(() => {
      this.others.splice(this.others.indexOf(item), 1);
      this.changedSignal.emit();
    });
  }

  private readonly others: T[] = [];
  private readonly changedSignal = new Signal<this, void>(this);
}

/**
 * A plot of another extension that this version can feed.
 *
 * @throws Error where it subscribes to a topic that there is not
 */
export function checkedPlot(plot: Plot): Plot {
  const unknown = plot.topics.filter(topic => !TOPICS.includes(topic));
  if (unknown.length > 0) {
    throw new Error(`The plot "${plot.id}" subscribes to topics that this version does not have: ${unknown.join(', ')}.`);
  }
  return plot;
}
