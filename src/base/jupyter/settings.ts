import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import type { PartialJSONValue } from '@lumino/coreutils';
import { type ISignal, Signal } from '@lumino/signaling';
import { mapOf, textsOf } from '../untrusted';

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
   */
  constructor(registry: ISettingRegistry | null, started: Promise<unknown>) {
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
   * @throws Error if the settings cannot be written, or this front end has none
   */
  async save(name: 'layouts' | 'favourites', value: PartialJSONValue): Promise<void> {
    await this.ready;
    if (this.loaded === null) {
      throw new Error('This front end has no settings.');
    }
    await this.loaded.set(name, value);
  }

  private async load(registry: ISettingRegistry): Promise<void> {
    try {
      const settings = await registry.load(SETTINGS_PLUGIN);
      settings.changed.connect(() => this.read(settings), this);
      this.loaded = settings;
      this.read(settings);
    } catch (error) {
      console.error(`The settings of Dask Panes could not be read; the defaults apply. ${String(error)}`);
    }
  }

  private read(settings: ISettingRegistry.ISettings): void {
    const { activate, followActive, defaultLayout, actions, keepTasks, favourites, statusBar, initialClusters } =
      settings.composite;
    const [site, user] = [settings.default('layouts'), settings.user.layouts];
    this.current = {
      activate: typeof activate === 'boolean' ? activate : DEFAULT_SETTINGS.activate,
      followActive: typeof followActive === 'boolean' ? followActive : DEFAULT_SETTINGS.followActive,
      defaultLayout: typeof defaultLayout === 'string' ? defaultLayout : DEFAULT_SETTINGS.defaultLayout,
      actions: typeof actions === 'boolean' ? actions : DEFAULT_SETTINGS.actions,
      keepTasks: typeof keepTasks === 'number' && keepTasks > 0 ? keepTasks : DEFAULT_SETTINGS.keepTasks,
      layouts: { site: mapOf(site), user: mapOf(user) },
      favourites: textsOf(favourites),
      statusBar: typeof statusBar === 'boolean' ? statusBar : DEFAULT_SETTINGS.statusBar,
      initialClusters: typeof initialClusters === 'boolean' ? initialClusters : DEFAULT_SETTINGS.initialClusters
    };
    this.changedSignal.emit();
  }

  private current: SettingValues = DEFAULT_SETTINGS;
  private loaded: ISettingRegistry.ISettings | null = null;
  private readonly changedSignal = new Signal<this, void>(this);
}
