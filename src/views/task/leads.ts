/** Where the details of a task lead on to, beside the actions on it. */
import { cutMiddle, oneLine } from '../../plot/text';
import { selectionOf } from '../../run/selection/selection';
import { graphLink } from '../../selectors/graph/link';
import type { ViewAction, ViewHost } from '../view';
import type { TaskFacts } from './facts';

/** Longest name on a button, in characters. */
const NAME = 32;

/** Its neighbourhood in the graph, the profile of its function, and the tasks of that in all views of the run. */
export function leadsOf({ number, prefix }: TaskFacts, { run, trans, open }: ViewHost): readonly ViewAction[] {
  const name = cutMiddle(oneLine(prefix), NAME);
  const lead = (label: string, act: () => void): ViewAction => ({ label, refusal: '', run: act });
  const { plot, args } = graphLink(run, { kind: 'task', number });
  return [
    ...(number >= 0 ? [lead(trans.__('Neighbourhood'), () => open(plot, args))] : []),
    ...(prefix === ''
      ? []
      : [
          lead(trans.__('Profile of %1', name), () => open('profile', { prefix })),
          lead(trans.__('Select tasks of %1 in all panes', name), () => selectionOf(run).select({ functions: [prefix] }))
        ])
  ];
}
