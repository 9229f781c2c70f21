import { formatBytes, formatCount, formatDuration, formatPercent } from '../../../base/format';
import type { Seconds } from '../../../base/units';
import { bytes, count, seconds } from '../../figures';
import { selecting, stretchOf, timeOf } from '../../facts';
import type { Rule } from '../../rule';

/** Reading less than this is not noticed. */
const LEAST: Seconds = 0.5;

/** The scheduler reads a graph, and meanwhile nothing else happens. */
export const largeGraph: Rule = {
  cause: 'large-graph',
  theme: 'client',
  workload: 'many_layers.py',
  recognised: 'Dask measures 0.5 s or more for reading graphs; what threads did not do meanwhile.',
  needs: ['computations', 'tasks'],
  thresholds: [{ value: LEAST, unit: 's', of: 'time of reading', source: 'less is not noticed' }],
  link: 'https://docs.dask.org/en/stable/best-practices.html#avoid-very-large-graphs',
  title: trans => trans.__('Graphs are too large'),
  remedy: trans =>
    trans.__(
      'Make fewer tasks: larger chunks or partitions, fewer steps, several computations one after the other instead of one with everything.'
    ),
  find: facts => {
    const { trans, computations } = facts;
    const sum = (name: 'reading' | 'tasks' | 'graph'): number =>
      computations.reduce((all, { values }) => all + (values[name] || 0), 0);
    const [reading, tasks, size] = [sum('reading'), sum('tasks'), sum('graph')];
    if (reading < LEAST) {
      return null;
    }
    return {
      claims: { reading: timeOf(facts, 'reading') },
      confidence: 'high',
      evidence: {
        selection: selecting({ period: stretchOf(facts, 'reading') }),
        plot: 'computations',
        figures: [
          seconds(trans.__('Reading graphs'), reading),
          count(trans.__('Tasks'), tasks),
          ...(size > 0 ? [bytes(trans.__('Size'), size)] : [])
        ]
      },
      sentence: cost => {
        const words = [formatDuration(reading), formatCount(tasks), formatPercent(cost.share), formatBytes(size)];
        return size > 0
          ? trans.__(
              'The scheduler took %1 to read graphs of %2 tasks (%4); threads had nothing to do meanwhile: %3 of the time.',
              ...words
            )
          : trans.__(
              'The scheduler took %1 to read graphs of %2 tasks; threads had nothing to do meanwhile: %3 of the time.',
              ...words
            );
      }
    };
  }
};
