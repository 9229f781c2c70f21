import { DisposableDelegate, type IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import { TOPICS } from '../feed/schema';
import type { Plot } from '../plot/plot';

/** Ids are saved in workspaces and notebooks, and are parts of widget ids. */
const ID = /^[a-z][a-z0-9]*(?:[-.:][a-z0-9]+)*$/;
const LONGEST_ID = 100;

/** Items that can be opened by id: ours, and those registered by other extensions. */
export class Catalogue<T extends { readonly id: string }> {
  /** @param ours - each with a unique id */
  constructor(private readonly ours: readonly T[]) {}

  /** Ours first, then the others in order of registration. */
  get all(): readonly T[] {
    return [...this.ours, ...this.others];
  }

  /** An item was registered, or its registration disposed. */
  get changed(): ISignal<this, void> {
    return this.changedSignal;
  }

  /** The item of an id; `undefined` if a saved workspace names one that is not here. */
  find(id: string): T | undefined {
    return this.all.find(item => item.id === id);
  }

  /**
   * Register an item.
   *
   * @returns removes it when disposed
   * @throws Error if its id is invalid or taken
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
 * A plot of another extension for which this version has data.
 *
 * @throws Error if it subscribes to an unknown topic, always or by choice
 */
export function checkedPlot(plot: Plot): Plot {
  const topics = [...plot.topics, ...(plot.choiceTopics ?? []).flatMap(each => each.topics)];
  const unknown = topics.filter(topic => !TOPICS.includes(topic));
  if (unknown.length > 0) {
    throw new Error(`The plot "${plot.id}" needs topics that this version does not have: ${unknown.join(', ')}.`);
  }
  return plot;
}
