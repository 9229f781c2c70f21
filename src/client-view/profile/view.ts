import type { ISignal } from '@lumino/signaling';
import { SeenWidget } from '../../base/jupyter/seen-widget';
import { element } from '../../base/element';
import { keepKeys } from '../../base/dom/keys';
import { readTheme } from '../../base/theme';
import type { Seconds } from '../../base/units';
import type { Translate } from '../../plot/plot';
import { Run } from '../../run/run';
import type { CardServices } from '../../plot-frame/plot-card';
import { exampleOf } from '../../panes/examples';
import { closePopoverOf } from '../../plot-frame/popover';
import { ProfileCard } from './card';
import { ProfileFeed } from './feed';
import type { Profile } from './read';

/** Services of the front end for the view. */
export interface ProfileViewServices {
  readonly trans: Translate;
  readonly themeChanged: ISignal<unknown, unknown> | null;
}

/** Space right of the last task, as a fraction of the whole. */
const MARGIN = 0.04;

/** Finished profilers in an output: the plots of local schedulers below each other, on one time axis. */
export class ProfileView extends SeenWidget {
  /** @param profile - `null` if the output cannot be read: the view shows an error */
  constructor(
    private readonly profile: Profile | null,
    private readonly services: ProfileViewServices
  ) {
    super();
    this.addClass('dp-Profile');
    keepKeys(this.node);
    this.node.setAttribute('role', 'group');
    this.node.setAttribute('aria-label', services.trans.__('Dask profile'));
    services.themeChanged?.connect(this.retheme, this);
    if (profile === null) {
      const text = services.trans.__('This output has no profile that this version can read.');
      this.node.append(element('p', { class: 'dp-ClientView-unreadable', text }));
    }
  }

  override dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this.services.themeChanged?.disconnect(this.retheme, this);
    closePopoverOf(this.node);
    for (const card of this.cards) {
      card.dispose();
    }
    this.source?.feed.dispose();
    super.dispose();
  }

  protected override seen(): void {
    if (this.isVisible && this.profile !== null) {
      this.fill(this.profile);
      this.retheme();
      for (const card of this.cards) {
        card.setVisible(true);
      }
    }
  }

  protected override unseen(): void {
    for (const card of this.cards) {
      card.setVisible(false);
    }
  }

  /** The cards are created when first visible: a notebook may have many outputs. */
  private fill(profile: Profile): void {
    if (this.source !== null) {
      return;
    }
    const run = new Run();
    for (const frame of profile.frames) {
      run.apply(frame, performance.now());
    }
    const length: Seconds = run.tasks.lastEnd - run.tasks.firstStart;
    const { trans } = this.services;
    const source: CardServices = {
      run,
      feed: new ProfileFeed(profile),
      trans,
      // The whole profile, even if it lasted only milliseconds.
      saved: length > 0 ? { span: length * (1 + MARGIN) } : {},
      open: () => undefined,
      exampleOf
    };
    this.source = source;
    this.cards = profile.plots.map(plot => new ProfileCard(plot, source, readTheme(this.node)));
    this.node.append(...this.cards.map(card => card.node));
  }

  private retheme(): void {
    if (this.isAttached) {
      const theme = readTheme(this.node);
      this.node.dataset.scheme = theme.scheme;
      for (const card of this.cards) {
        card.setTheme(theme);
      }
    }
  }

  private source: CardServices | null = null;
  private cards: readonly ProfileCard[] = [];
}
