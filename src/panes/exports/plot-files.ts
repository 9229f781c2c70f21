/** Files of what a pane shows. */
import { Notification } from '@jupyterlab/apputils';
import { formatExactCount } from '../../base/format';
import type { Plot, PlotContext, TableData, Translate } from '../../plot/plot';
import { commaSeparated, tabSeparated } from '../../plot/csv';
import type { MenuItem } from '../../plot-frame/menu-item';
import type { Run } from '../../run/run';
import { foldedProfile } from '../../selectors/profile/profile-texts';
import { speedscope } from '../../selectors/profile/speedscope';
import { copyPicture, copyTable } from './copy';
import { download } from './download';
import { pictureOf } from './picture';

/** How long it is said that rows are missing, in milliseconds. */
const CUT_SHOWN = 8000;

/** What files are made from: a pane, the run and the context of its picture, as they are when the menu opens. */
export interface Shown {
  readonly run: Run | null;
  /** The picture as SVG; `null` if its view draws none. */
  readonly svg: (() => Promise<string>) | null;
  context(): PlotContext;
  /** Say in the pane that a file could not be made. */
  fail(error: unknown): void;
}

/**
 * Menu items that save what a pane shows.
 *
 * @param pane - what an image shows
 */
export function fileItems(plot: Plot, shown: Shown, pane: HTMLElement): MenuItem[] {
  const { run } = shown;
  return run === null ? [] : [...imageItems(plot, shown, pane), ...dataItems(plot, run, shown)];
}

function imageItems(plot: Plot, shown: Shown, pane: HTMLElement): MenuItem[] {
  const { trans } = shown.context();
  const attempt = (act: () => Promise<void>) => () => void act().catch(error => shown.fail(error));
  const { svg } = shown;
  const png: MenuItem = {
    label: trans.__('Save picture as PNG'),
    run: attempt(async () => download(`${plot.id}.png`, await pictureOf(pane)))
  };
  return [
    png,
    ...(svg === null
      ? []
      : [
          {
            label: trans.__('Save picture as SVG'),
            run: attempt(async () => download(`${plot.id}.svg`, new Blob([await svg()], { type: 'image/svg+xml' })))
          }
        ]),
    { label: trans.__('Copy picture'), run: () => void copyPicture(pane, png, trans) }
  ];
}

/** A file or a copy that has not all rows must not look as if it had. */
function sayCut({ rows, total = rows.length }: TableData, trans: Translate): void {
  if (total > rows.length) {
    const message = trans.__('These are the newest %1 of %2 rows.', formatExactCount(rows.length), formatExactCount(total));
    Notification.warning(message, { autoClose: CUT_SHOWN });
  }
}

function dataItems(plot: Plot, run: Run, shown: Shown): MenuItem[] {
  const context = shown.context();
  const { trans } = context;
  const made = (text: () => string, use: (text: string) => void) => (): void => {
    try {
      use(text());
    } catch (error) {
      shown.fail(error);
    }
  };
  const save = (ending: string, type: string, text: () => string): (() => void) =>
    made(text, content => download(`${plot.id}.${ending}`, new Blob([content], { type })));
  const rows = (): TableData => {
    const table = plot.table(run, context);
    sayCut(table, trans);
    return table;
  };
  const table: MenuItem = {
    label: trans.__('Save table as CSV'),
    run: save('csv', 'text/csv', () => commaSeparated(rows()))
  };
  const copy: MenuItem = {
    label: trans.__('Copy table'),
    run: made(
      () => tabSeparated(rows()),
      text => void copyTable(text, table, trans)
    )
  };
  if (plot.view !== 'flame') {
    return [table, copy];
  }
  const store = run[plot.topic];
  const profile: MenuItem = {
    label: trans.__('Save samples for speedscope'),
    enabled: store.length > 0,
    run: save('speedscope.json', 'application/json', () => speedscope(store, foldedProfile(store, run, context), plot.title))
  };
  return [table, copy, profile];
}
