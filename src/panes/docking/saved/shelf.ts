import type { ReadonlyJSONObject } from '@lumino/coreutils';
import type { IDisposable } from '@lumino/disposable';
import { messageOf } from '../../../base/untrusted';
import type { Settings } from '../../../base/jupyter/settings';
import type { Translate } from '../../../plot/plot';
import type { Catalogue } from '../../catalogue';
import type { Area } from '../dock-tree';
import type { PaneLayout } from '../layouts';
import type { LayoutPane } from './layouts';

/** Keeps the saved layouts of the settings in the list of layouts, and saves further ones. */
export class SavedLayouts implements IDisposable {
  constructor(
    private readonly settings: Settings,
    private readonly catalogue: Catalogue<PaneLayout>,
    private readonly trans: Translate,
    private readonly warn: (message: string) => void
  ) {
    settings.changed.connect(this.update, this);
    this.update();
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** Resolved when the present settings are listed. */
  get ready(): Promise<void> {
    return this.settings.ready.then(() => this.listing);
  }

  /**
   * Save an arrangement; one with the same title is replaced.
   *
   * @throws Error if the title is empty or too long, there are too many, or the settings cannot be written
   */
  async save(title: string, area: Area<LayoutPane>): Promise<void> {
    const { checkCount, checkedTitle, writeArea } = await import('./layouts');
    const name = checkedTitle(title, this.trans);
    await this.ready;
    checkCount(this.titles.filter(other => other !== name).length, this.trans);
    await this.write(name, writeArea(area));
  }

  /**
   * Remove a layout.
   *
   * @throws Error if the settings cannot be written
   */
  async remove({ title }: PaneLayout): Promise<void> {
    const { site } = this.settings.values.layouts;
    const ofSite = Object.keys(site).some(name => name.trim() === title);
    await this.write(title, ofSite ? null : undefined);
  }

  dispose(): void {
    if (!this.disposed) {
      this.disposed = true;
      this.settings.changed.disconnect(this.update, this);
      this.clear();
    }
  }

  /** @param value - `undefined` forgets what the user has saved under the title */
  private async write(title: string, value: ReadonlyJSONObject | null | undefined): Promise<void> {
    await this.settings.save('layouts', () => {
      const { user } = this.settings.values.layouts;
      const others = Object.entries(user).filter(([name]) => name.trim() !== title);
      return Object.fromEntries([...others, ...(value === undefined ? [] : [[title, value]])]);
    });
  }

  private update(): void {
    const { site, user } = this.settings.values.layouts;
    const print = JSON.stringify([site, user]);
    if (print !== this.shown) {
      this.shown = print;
      this.listing = this.list([site, user], print).catch((error: unknown) => this.warn(messageOf(error)));
    }
  }

  /** What reads layouts is only loaded where there are some. */
  private async list(sources: readonly object[], print: string): Promise<void> {
    const code = sources.some(source => Object.keys(source).length > 0) ? await import('./layouts') : null;
    if (this.disposed || this.shown !== print) {
      return;
    }
    this.clear();
    if (code === null) {
      return;
    }
    const { layouts, problems } = code.readLayouts(sources, this.trans);
    const taken = new Set<string>();
    this.titles = layouts.map(({ title }) => title);
    for (const layout of layouts) {
      const id = freeId(layout.title, taken);
      this.listed.push(this.catalogue.add(code.paneLayout(id, layout, this.trans)));
    }
    for (const problem of problems) {
      this.warn(problem);
    }
  }

  private clear(): void {
    this.titles = [];
    for (const entry of this.listed.splice(0)) {
      entry.dispose();
    }
  }

  private disposed = false;
  private listing: Promise<void> = Promise.resolve();
  private shown = '[{},{}]';
  private readonly listed: IDisposable[] = [];
  private titles: readonly string[] = [];
}

/** An id made from a title; titles without Latin letters and figures are numbered. */
function freeId(title: string, taken: Set<string>): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? ['layout'];
  const base = `saved:${words.join('-')}`;
  let id = base;
  for (let number = 2; taken.has(id); number++) {
    id = `${base}-${number}`;
  }
  taken.add(id);
  return id;
}
