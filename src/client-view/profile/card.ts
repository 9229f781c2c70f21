import { catalogueText } from '../../plot/translation';
import { element } from '../../base/element';
import type { Theme } from '../../base/theme';
import { openMenu } from '../../panes/pane/menu';
import { type CardServices, PlotCard } from '../../plot-frame/plot-card';
import type { Plot } from '../../plot/plot';

/** One plot of a finished profile in an output. */
export class ProfileCard extends PlotCard {
  constructor(plot: Plot, services: CardServices, theme: Theme) {
    const { trans } = services;
    super(plot, services, {
      className: 'dp-Profile-card',
      heading: element('span', {
        class: 'dp-Profile-name',
        text: catalogueText(trans, plot.title),
        title: catalogueText(trans, plot.caption)
      }),
      openMenu
    });
    this.setTheme(theme);
    this.show();
  }
}
