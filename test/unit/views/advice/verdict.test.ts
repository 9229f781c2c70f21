// @vitest-environment jsdom
import { expect, it } from 'vitest';
import type { Verdict } from '../../../../src/advice/advice';
import { verdictItem } from '../../../../src/views/advice/verdict';
import { NOTHING_SELECTED } from '../../../../src/run/selection/selection';
import { translate } from '../../translate';

const lost: Verdict = {
  cause: 'lost-worker',
  theme: 'scheduling',
  title: 'A worker was lost',
  cost: { seconds: 1.9, share: 0.3 },
  workerless: 5.57,
  confidence: 'high',
  doubt: '',
  evidence: { selection: NOTHING_SELECTED, plot: 'events', figures: [] },
  sentence: '4 workers ended unexpectedly.',
  remedy: 'See the log.',
  link: ''
};

function figures(verdict: Verdict, workerless: number): readonly (string | null | undefined)[] {
  const item = verdictItem({ verdict, workerless }, false, { show: () => undefined, unfold: () => undefined }, translate);
  return ['.dp-Advice-cost', '.dp-Advice-line strong'].map(selector => item.querySelector(selector)?.textContent);
}

it('of a cause that mostly left no worker, the large figure is for how long, and not a share of the rest', () => {
  expect(figures(lost, 5.57)).toEqual(['5.57 swithout any worker, and 30 % of the rest', '5.57 s']);
  expect(figures({ ...lost, cost: { seconds: 0, share: 0 } }, 5.57)).toEqual(['5.57 swithout any worker', '5.57 s']);
  expect(figures(lost, 0)).toEqual(['30 %1.90 s', '30 %']);
});
