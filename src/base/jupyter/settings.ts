import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import type { PartialJSONValue } from '@lumino/coreutils';
import { type ISignal, Signal } from '@lumino/signaling';
import { mapOf, textsOf } from '../untrusted';
import type { SettingTexts } from './save-setting';

/** The plugin whose schema (schema/plugin.json) describes the settings. */
export const SETTINGS_PLUGIN = 'dask-panes:plugin';

/** The settings; schema/plugin.json explains each. */
export interface SettingValues {
  readonly activate: boolean;
  readonly followActive: boolean;
  readonly defaultLayout: string;
  /** Whether cards offer actions that change a cluster. */
  readonly actions: boolean;
  /** Number of executions that the browser keeps per client. */
  readonly keepTasks: number;
  /** Saved layouts by title, unvalidated: those of the site and those of the user. */
  readonly layouts: { readonly site: Readonly<Record<string, unknown>>; readonly user: Readonly<Record<string, unknown>> };
  /** Ids of the plots on top of the sidebar's list. */
  readonly favourites: readonly string[];
  /** Whether the status bar has the followed client. */
  readonly statusBar: boolean;
  /** Whether the clusters of `labextension.initial` are started. */
  readonly initialClusters: boolean;
}

/** Defaults if JupyterLab has no settings, equal to those in schema/plugin.json. */
export const DEFAULT_SETTINGS: SettingValues = {
  activate: true,
  followActive: true,
  defaultLayout: 'status',
  actions: true,
  keepTasks: 5_000_000,
  layouts: { site: {}, user: {} },
  favourites: [],
  statusBar: true,
  initialClusters: false
};

/** The user's current settings. */
export class Settings {
  /**
   * @param registry - `null` in front ends without settings: the defaults apply
   * @param started - when to read them: JupyterLab's own shortcuts fail on settings that are loaded before theirs
   * @param trans - of the page, where something is saved
   */
  constructor(
    private readonly registry: ISettingRegistry | null,
    started: Promise<unknown>,
    private readonly trans?: SettingTexts
  ) {
    this.ready = registry === null ? Promise.resolve() : started.then(() => this.load(registry));
  }

  /** Resolved when the user's values are known, or cannot be loaded. */
  readonly ready: Promise<void>;

  get values(): SettingValues {
    return this.current;
  }

  get changed(): ISignal<this, void> {
    return this.changedSignal;
  }

  /**
   * Save a value of the user's.
   *
   * @param value - called when `values` has what other tabs have saved
   * @throws Error with a message for users if the settings cannot be read or written, or this front end has none
   */
  async save(name: 'layouts' | 'favourites', value: () => PartialJSONValue): Promise<void> {
    await this.ready;
    const { saveSetting } = await import('./save-setting');
    await saveSetting({
      registry: this.registry,
      plugin: SETTINGS_PLUGIN,
      name,
      value,
      adopt: settings => this.adopt(settings),
      trans: this.trans
    });
  }

  private async load(registry: ISettingRegistry): Promise<void> {
    try {
      this.adopt(await registry.load(SETTINGS_PLUGIN));
    } catch (error) {
      const { reasonsOf } = await import('./save-setting');
      console.error(`The settings of Dask Panes cannot be read: ${reasonsOf(error)}. The defaults apply.`);
    }
  }

  private adopt(settings: ISettingRegistry.ISettings): void {
    this.loaded?.dispose();
    this.loaded = settings;
    settings.changed.connect(() => this.read(settings), this);
    this.read(settings);
  }

  private read(settings: ISettingRegistry.ISettings): void {
    const { composite, user } = settings;
    const valid = Object.entries(DEFAULT_SETTINGS).flatMap(([name, initial]) =>
      typeof composite[name] === typeof initial ? [[name, composite[name]]] : []
    );
    this.current = {
      ...DEFAULT_SETTINGS,
      ...Object.fromEntries(valid),
      layouts: { site: mapOf(settings.default('layouts')), user: mapOf(user.layouts) },
      favourites: textsOf(composite.favourites)
    };
    this.changedSignal.emit();
  }

  private current: SettingValues = DEFAULT_SETTINGS;
  private loaded: ISettingRegistry.ISettings | null = null;
  private readonly changedSignal = new Signal<this, void>(this);
}
