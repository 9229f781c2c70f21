/** The buttons of a card that open panes. */
import type { Attachment } from '../clients/attachment';
import { bindingTo } from '../clients/binding';
import { type Binding, type Clients, kindOf } from '../clients/model';
import type { DaskPanes, OpenArgs } from '../panes/tokens';
import type { Translate } from '../plot/plot';
import { catalogueText } from '../plot/translation';
import type { CardButton } from './card';

/** What a card opens. */
export type ShownPanes = Pick<DaskPanes, 'open' | 'layout' | 'saveReport' | 'plots' | 'layouts'>;

/** A button: what it opens, and its name in `DaskPanes`. */
const BUTTONS: readonly { readonly label: string; readonly layout?: string; readonly plot?: string }[] = [
  { label: 'Status', layout: 'status' },
  { label: 'Task stream', plot: 'task-stream' },
  { label: 'Workers', plot: 'workers' }
];

/**
 * Buttons for the layouts and plots that there are, and for a report.
 *
 * @param binding - of the card's client at the time of the click
 * @param open - runs what a button opens, and shows why it failed
 */
export function openers(
  panes: ShownPanes,
  binding: () => Binding | undefined,
  open: (action: () => Promise<unknown>) => void,
  trans: Translate
): CardButton[] {
  const { layouts, plots } = panes;
  const shown = BUTTONS.flatMap(({ label, layout, plot }): CardButton[] => {
    const text = catalogueText(trans, label);
    if (layout !== undefined && layouts.includes(layout)) {
      return [{ label: text, run: () => open(() => panes.layout(layout, binding())) }];
    }
    if (plot !== undefined && plots.includes(plot)) {
      return [{ label: text, run: () => open(() => panes.open(plot, { binding: binding() })) }];
    }
    return [];
  });
  return [...shown, { label: trans.__('Save report'), run: () => open(() => panes.saveReport(binding())) }];
}

/** The binding of panes that a card opens: they follow if they would show its client. */
export function openedBinding(clients: Clients | null, attachment: Attachment | null): Binding | undefined {
  const named = attachment?.named;
  return clients && named ? bindingTo(clients, named.path, named.info.key, kindOf(named.info)) : attachment?.binding;
}

/** Open a pane; does nothing where there are no panes. */
export async function openPlot(
  panes: ShownPanes | null,
  plot: string,
  binding: Binding | undefined,
  { saved = {}, mode }: Pick<OpenArgs, 'saved' | 'mode'> = {}
): Promise<void> {
  await panes?.open(plot, { binding, ...(Object.keys(saved).length > 0 ? { saved } : {}), ...(mode ? { mode } : {}) });
}
