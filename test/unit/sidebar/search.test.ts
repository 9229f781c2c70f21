import type { Translate } from '../../../src/plot/plot';
import { describe, expect, it } from 'vitest';
import type { Plot } from '../../../src/plot/plot';
import { groupPlots, matches } from '../../../src/sidebar/search';
import { translate } from '../translate';

const trans: Translate = {
  ...translate,
  __: (text: string) => (text === 'Progress' ? 'Fortschritt über alles' : text)
};
const plot = (facts: Partial<Plot>): Plot => ({ synonyms: [], caption: '', group: 'tasks', ...facts }) as Plot;
const stream = plot({
  id: 'task-stream',
  title: 'Task stream',
  caption: 'what each thread did, when',
  synonyms: ['gantt', 'timeline']
});
const progress = plot({ id: 'progress', title: 'Progress' });
const memory = plot({ id: 'cluster-memory', title: 'Bytes stored', group: 'memory' });

describe('the search of plots', () => {
  it.each(['gantt', 'GANTT', 'thread when', 'task-stream', 'strea', 'tasks'])('finds Task stream by "%s"', query => {
    expect(matches(stream, query, trans)).toBe(true);
  });

  it('needs every word', () => {
    expect(matches(stream, 'gantt memory', trans)).toBe(false);
  });

  it('finds by the words of the user, with or without accents', () => {
    expect(matches(progress, 'uber', trans)).toBe(true);
    expect(matches(progress, 'progress', trans)).toBe(true);
  });

  it('keeps the order of the groups and drops those without a match', () => {
    expect(groupPlots([memory, stream, progress], '', trans).map(({ group, plots }) => [group, plots.length])).toEqual([
      ['tasks', 2],
      ['memory', 1]
    ]);
    expect(groupPlots([memory, stream], 'gantt', trans).map(({ group }) => group)).toEqual(['tasks']);
    expect(groupPlots([memory, stream], 'nothing', trans)).toEqual([]);
  });
});
