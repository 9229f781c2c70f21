/** Files of what a pane shows. */
import type { Plot, PlotContext } from '../../plot/plot';
import { commaSeparated } from '../../plot/csv';
import type { MenuItem } from '../../plot-frame/menu-item';
import type { Run } from '../../run/run';
import { foldedProfile } from '../../selectors/profile/profile-texts';
import { speedscope } from '../../selectors/profile/speedscope';
import { download } from './download';

/** What files are made from: the run and the context of a pane's picture, as they are when the menu opens. */
export interface Shown {
  readonly run: Run | null;
  context(): PlotContext;
  /** Say in the pane that a file could not be made. */
  fail(error: unknown): void;
}

/** Menu items that save what a pane shows. */
export function fileItems(plot: Plot, shown: Shown): MenuItem[] {
  const { run } = shown;
  if (run === null) {
    return [];
  }
  const context = shown.context();
  const { trans } = context;
  const save = (ending: string, type: string, text: () => string) => (): void => {
    try {
      download(`${plot.id}.${ending}`, text(), type);
    } catch (error) {
      shown.fail(error);
    }
  };
  const table: MenuItem = {
    label: trans.__('Save table as CSV'),
    run: save('csv', 'text/csv', () => commaSeparated(plot.table(run, context)))
  };
  if (plot.view !== 'flame') {
    return [table];
  }
  const store = run[plot.topic];
  const profile: MenuItem = {
    label: trans.__('Save samples for speedscope'),
    enabled: store.length > 0,
    run: save('speedscope.json', 'application/json', () => speedscope(store, foldedProfile(store, run, context), plot.title))
  };
  return [table, profile];
}
