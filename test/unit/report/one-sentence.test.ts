// @vitest-environment jsdom
/** The sentence of a report, of the document of a recording, of the pane, of the card and of the terminal is one. */
import { DisposableDelegate } from '@lumino/disposable';
import { Blob } from 'node:buffer';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DecompressionStream } from 'node:stream/web';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { topVerdictOf } from '../../../src/advice/cells/top-verdict';
import { advise } from '../../../src/advice/advise';
import { newestPeriod, wholePeriod } from '../../../src/advice/period';
import { setNumberLocale } from '../../../src/base/format';
import type { FeedState } from '../../../src/feed/feed';
import { AdviceLine } from '../../../src/plot-frame/advice-line';
import { advice } from '../../../src/plots/diagnosis/advice';
import { adviceLine } from '../../../src/report/advice';
import { openRun } from '../../../src/report/open';
import type { Run } from '../../../src/run/run';
import { NOTHING_SELECTED, type Period, selectionOf } from '../../../src/run/selection/selection';
import { adviceJson, adviceText } from '../../../src/terminal/advice-output';
import { printed } from '../../../src/terminal/command';
import { completed, EPOCH, made, tasks } from '../advice/made';
import { context } from '../plots/cluster';
import { translate } from '../translate';

const FOLDER = join(import.meta.dirname, '../../fixtures/advice');
const LIVE: FeedState = { status: 'live', answered: 0, reason: '' };
const feed = { isDisposed: false, state: LIVE, subscribe: () => new DisposableDelegate(() => undefined) };

beforeEach(() => {
  setNumberLocale('en');
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  // That of jsdom has no streams.
  vi.stubGlobal('Blob', Blob);
  vi.stubGlobal('DecompressionStream', DecompressionStream);
});

/** The sentence of a line; '' where it says nothing. */
function ofLine(run: Run, whole: boolean): string {
  const line = new AdviceLine(translate, { open: () => undefined, whole });
  line.about({ run, feed });
  for (const now of [0, 20_000, 40_000, 60_000]) {
    line.update(now);
  }
  return line.hasText ? (line.node.querySelector('bdi')?.textContent ?? '') : '';
}

function ofReport(run: Run): string {
  const line = adviceLine({ run, trans: translate, advise: null });
  vi.runAllTimers();
  expect(line.querySelectorAll('img, script')).toHaveLength(0);
  return line.querySelector('bdi')?.textContent ?? '';
}

/** Of the pane, for a selected period or the newest work. */
function ofPane(run: Run, period: Period | null): string {
  selectionOf(run).select({ ...NOTHING_SELECTED, period });
  return advice.summary(run, context());
}

/** What is said of a run in one place begins with what is said in another: a line adds how many causes could not be checked. */
function expectSame(said: string, headline: string): void {
  expect([headline, `${headline} `]).toContain(said.slice(0, headline.length + (said.length > headline.length ? 1 : 0)));
}

describe('one sentence', () => {
  it.each(readdirSync(FOLDER).filter(name => name.endsWith('.dask-run')))('is said of %s everywhere', async name => {
    const path = `${FOLDER}/${name}`;
    const { run } = await openRun(await readFile(path));
    const terminal = async (...options: string[]): Promise<string> =>
      JSON.parse((await printed(['advise', path, '--json', ...options], readFile)).out[0]).headline;
    const all = await terminal();
    expect(all).not.toMatch(/NaN|undefined|Infinity/);
    expectSame(ofReport(run), all);
    expect(ofPane(run, wholePeriod(run))).toBe(all);
    const document = ofLine(run, true);
    if (document !== '') {
      expectSame(document, all);
    }
    const newest = await terminal('--newest');
    expect(ofPane(run, null)).toBe(newest);
    const { verdict, asked } = topVerdictOf(run, new Set(), translate);
    const card = ofLine(run, false);
    if (asked === null && card !== '') {
      // Of one cell, its name comes before.
      expect(card).toContain(verdict === null ? newest : verdict.sentence);
      expect(newest).toBe(verdict?.sentence ?? newest);
    }
  });

  const HOSTILE = '<img src=x onerror=alert(1)>\n\u202e"%1 %2';
  const straggling = (name: string): Run =>
    completed(
      made({
        functions: [name],
        rows: [0, 1, 2, 3].flatMap(lane => tasks(lane, 8, lane === 0 ? 0.3 : 0.25)),
        now: 9,
        running: [{ id: 1, start: 3, prefix: 0 }]
      })
    );
  const runs: readonly (readonly [string, () => Run])[] = [
    ['a hostile name', () => straggling(HOSTILE)],
    [
      'times and sizes that are not known',
      () =>
        completed(
          made({
            rows: [...tasks(0, 8, 0.5), { lane: 1, start: Number.NaN, duration: Number.NaN, nbytes: Number.NaN }],
            computations: [{ since: Number.NaN, last: Number.NaN, stop: Number.NaN, tasks: Number.NaN, left: Number.NaN }],
            series: { threads: [Number.NaN, 4], spilled: [Number.NaN] },
            now: 10
          })
        )
    ],
    ['no time at all', () => completed(made({ rows: [{ lane: 0, start: 5, duration: 0 }], now: 5 }))]
  ];

  it.each(runs)('is said everywhere of a run with %s', (_name, make) => {
    const run = make();
    const said = advise(run, null, translate);
    const { headline } = adviceJson(said) as { headline: string };
    expect(headline).not.toMatch(/NaN|undefined|Infinity|[\n\u202e]/);
    expect(adviceText('run', said).join(' ').replace(/\s+/g, ' ')).toContain(headline.replace(/\s+/g, ' '));
    expect(ofPane(run, wholePeriod(run))).toBe(headline);
    if (said.period !== null) {
      expectSame(ofReport(run), headline);
      const line = ofLine(run, true);
      expect([headline, '']).toContain(line === '' ? '' : line.slice(0, headline.length));
    }
  });

  it('says that nothing has run of an empty run, and of a period without length', () => {
    const empty = completed(made({ now: 0 }));
    expect(advise(empty, null, translate).headline).toBe('Nothing has run.');
    expect([ofPane(empty, null), ofReport(empty), ofLine(empty, true), ofLine(empty, false)]).toEqual([
      'Nothing has run.',
      '',
      '',
      ''
    ]);
    const run = completed(made({ rows: tasks(0, 20, 0.5), now: 10 }));
    const moment = { from: EPOCH + 5, to: EPOCH + 5 };
    expect(advise(run, moment, translate).headline).toBe('Nothing has run.');
    expect(ofPane(run, moment)).toBe('Nothing has run.');
    expect(newestPeriod(run)).not.toBeNull();
  });
});
