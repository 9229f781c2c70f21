/** Where "6 erred" leads. */
import type { Cell } from '../../plot/table';
import type { PlotLink } from '../../plot/tooltip';
import type { Run } from '../../run/run';

/** The pane of errors, of one function or of all. Functions are named in full. */
export function errorsLink(name = ''): PlotLink {
  return { plot: 'errors', args: { function: name, kind: 'all' } };
}

/** The pane of errors of the function at an index of the run's dictionary. */
export function errorsOf(run: Run, prefix: number): PlotLink {
  return errorsLink(run.prefixNames[prefix] ?? '');
}

/** How a cell with a number of erred tasks looks, and where it leads: nowhere from zero. */
export function erredLook(erred: number, opens: PlotLink): Pick<Cell, 'tone' | 'opens'> {
  return erred > 0 ? { tone: 'bad', opens } : {};
}
