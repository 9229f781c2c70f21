/** Names and appearance of task states, defined only here. */
import type { Colour, Pattern, Theme } from '../../base/theme';
import type { TaskState } from '../../feed/schema';
import type { LegendItem, Translate } from '../../plot/plot';

/** The symbol of a state where a shape fits: shape first, colour second. */
export type StateMark = 'hollow' | 'striped' | 'alarm' | 'ringed' | 'full' | 'pale' | 'cross' | 'ghost' | 'struck';

/** Appearance of a state. */
export interface StateLook {
  readonly colour: Colour;
  readonly mark: StateMark;
  /** For its swatch and its part of a bar. */
  readonly pattern: Pattern;
  /** Drawn as a pale fill with an outline. */
  readonly outlined?: boolean;
}

/** States in the order in which a task passes through them; bars show them from the right. */
export const STATE_ORDER: readonly TaskState[] = [
  'waiting',
  'no-worker',
  'queued',
  'processing',
  'erred',
  'memory',
  'released',
  'forgotten',
  'cancelled'
];

/** Appearance of a state in a theme. */
export function stateLook(state: TaskState, { task }: Theme): StateLook {
  switch (state) {
    case 'waiting':
      return { colour: task.waiting, mark: 'hollow', pattern: 'hollow' };
    case 'queued':
      return { colour: task.queued, mark: 'striped', pattern: 'diagonal' };
    case 'no-worker':
      return { colour: task['no-worker'], mark: 'alarm', pattern: 'hollow' };
    case 'processing':
      return { colour: task.processing, mark: 'ringed', pattern: 'none' };
    case 'memory':
      return { colour: task.memory, mark: 'full', pattern: 'none' };
    case 'released':
      return { colour: task.released, mark: 'pale', pattern: 'none', outlined: true };
    case 'erred':
      return { colour: task.erred, mark: 'cross', pattern: 'cross-hatch' };
    case 'forgotten':
      return { colour: task.forgotten, mark: 'ghost', pattern: 'none' };
    case 'cancelled':
      return { colour: task.waiting, mark: 'struck', pattern: 'counter-diagonal' };
  }
}

/** Display name of a state. */
export function stateWords(state: TaskState, trans: Translate): string {
  switch (state) {
    case 'waiting':
      return trans.__('waiting');
    case 'queued':
      return trans.__('queued');
    case 'no-worker':
      return trans.__('no worker fits');
    case 'processing':
      return trans.__('processing');
    case 'memory':
      return trans.__('in memory');
    case 'released':
      return trans.__('released');
    case 'erred':
      return trans.__('erred');
    case 'forgotten':
      return trans.__('finished, forgotten');
    case 'cancelled':
      return trans.__('cancelled');
  }
}

/** Legend entries of the states with tasks. */
export function stateLegend(counts: (state: TaskState) => number, theme: Theme, trans: Translate): LegendItem[] {
  return STATE_ORDER.filter(state => counts(state) > 0).map(state => {
    const { colour, pattern, outlined } = stateLook(state, theme);
    return { id: state, label: stateWords(state, trans), colour, pattern, ...(outlined ? { outlined } : {}) };
  });
}
