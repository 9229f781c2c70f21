// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { readFacts } from '../../../src/report/facts';
import { cluster } from '../plots/cluster';
import { peakMemory, summary } from '../../../src/report/summary';
import { Totals } from '../../../src/report/totals';
import type { Run } from '../../../src/run/run';
import { made } from '../advice/made';
import { translate } from '../translate';

const HOSTILE = '<img src=x onerror=alert(1)>';

/** Executions by function: duration in seconds, negative for one that erred. */
function totalsOf(tasks: readonly (readonly [prefix: number, duration: number])[]): Totals {
  const totals = new Totals();
  totals.add({
    columns: {
      start: Float64Array.from(tasks, (_, i) => 1 + i),
      duration: Float64Array.from(tasks, ([, duration]) => Math.abs(duration)),
      prefix: Uint16Array.from(tasks, ([prefix]) => prefix),
      status: Uint8Array.from(tasks, ([, duration]) => (duration < 0 ? 1 : 0))
    },
    scalars: {}
  });
  return totals;
}

function shown(run: Run, totals: Totals, showErrors: ((name?: string) => void) | null = null): HTMLElement {
  return summary({
    facts: readFacts({}),
    why: '',
    run,
    totals,
    unread: [],
    absent: [],
    trans: translate,
    advise: null,
    showErrors
  });
}

function rows(node: HTMLElement): string[][] {
  return [...node.querySelectorAll('tr[data-function]')].map(row => [...row.children].map(cell => cell.textContent ?? ''));
}

beforeEach(() => setNumberLocale('en'));

describe('the summary of a report', () => {
  it('says of whom a version is, and that workers may have what is not recorded of them', () => {
    const versions = ['numpy', 'pyarrow'].map(name => ({ where: 'client', package: name, version: '2.4.6' }));
    const recorded = { versions: { numpy: '2.4.6' }, worker_versions: { numpy: ['2.4.6', '2.3.0'], python: ['3.12.1'] } };
    const text = (given: unknown, meta: Run['meta'] = {}): string => {
      const run = cluster({});
      Object.assign(run.meta, meta);
      const input = { why: '', run, totals: totalsOf([]), unread: [], absent: [], trans: translate };
      return summary({ ...input, facts: readFacts({ versions: given }), advise: null, showErrors: null }).textContent ?? '';
    };
    expect(text(versions)).toMatch(/numpy2\.4\.6 · client.*They may have the other packages, too\./);
    const whole = text(versions, recorded);
    expect(whole).toMatch(/numpy2\.4\.6 · client, scheduler, workers.*numpy2\.3\.0 · workers.*python3\.12\.1 · workers/);
    expect(whole).toMatch(/pyarrow2\.4\.6 · client.*They may have the other packages, too\./);
    expect(text([], recorded)).not.toContain('recorded');
  });

  it('lists the functions that took most time, with erred tasks and the longest', () => {
    const run = made({ functions: ['short', HOSTILE], rows: [] });
    const node = shown(
      run,
      totalsOf([
        [0, 0.5],
        [1, 2],
        [1, -1],
        [0, 0.25]
      ])
    );
    expect(rows(node)).toEqual([
      [HOSTILE, '2, 1 erred', '3.00 s', '2.00 s'],
      ['short', '2', '750 ms', '500 ms']
    ]);
    expect(node.querySelector('img')).toBeNull();
  });

  it('counts executions, and says so: a task that was tried again has several', () => {
    const run = made({ functions: ['flaky'], rows: [] });
    const node = shown(
      run,
      totalsOf([
        [0, -1],
        [0, 1]
      ])
    );
    const label = (id: string): string | undefined => node.querySelector(`[data-figure="${id}"]`)?.textContent ?? undefined;
    expect(['tasks', 'erred'].map(label)).toEqual(['Executions2', 'Erred executions1']);
    expect(node.querySelector('.dp-Report-grid thead')?.textContent).toContain('Executions');
  });

  it('leads from each number of erred tasks to the errors, if the report has them', () => {
    const run = made({ functions: ['good', HOSTILE], rows: [] });
    const totals = totalsOf([
      [0, 1],
      [1, -2]
    ]);
    const asked: (string | undefined)[] = [];
    const links = [...shown(run, totals, name => asked.push(name)).querySelectorAll('button')];
    for (const link of links) {
      link.click();
    }
    expect(links.map(({ textContent }) => textContent)).toEqual(['1', '1 erred']);
    expect(asked).toEqual([undefined, HOSTILE]);
    expect(shown(run, totals).querySelector('button')).toBeNull();
    expect(shown(run, totalsOf([[0, 1]]), () => undefined).querySelector('button')).toBeNull();
  });

  it('says that shares of actions are without the time in which threads did nothing', () => {
    const text = shown(made({ functions: ['f'], rows: [] }), totalsOf([[0, 2]])).textContent;
    expect(text).toContain('Share of these actions');
    expect(text).toContain('Time in which threads did nothing is not in this table.');
  });

  it('names what the duration is of: of the block, else of the tasks', () => {
    const run = made({ functions: ['f'], rows: [] });
    const facts = (of: Record<string, unknown>) => ({ facts: readFacts(of), why: '', totals: totalsOf([[0, 2]]) });
    const durationOf = (of: Record<string, unknown>, shown = run): string | null | undefined =>
      summary({
        ...facts(of),
        run: shown,
        unread: [],
        absent: [],
        trans: translate,
        advise: null,
        showErrors: null
      }).querySelector('[data-figure="duration"]')?.textContent;
    expect(durationOf({ duration: 4.97 })).toBe('Duration of the block4.97 s');
    expect(durationOf({})).toBe('First to last task2.00 s');
    const longer = made({ rows: [{ lane: 0, start: 0, duration: 2, nbytes: 0 }], now: 6.1 });
    expect(durationOf({ duration: 4.97 }, longer)).toBe('Duration of the block, recorded until 0:06.14.97 s');
    expect(durationOf({ duration: 6.1 }, longer)).toBe('Duration of the block6.10 s');
  });

  it('says what of its recording could not be read, as text', () => {
    const run = made({ functions: ['f'], rows: [] });
    const unread = [HOSTILE];
    const node = summary({
      facts: readFacts({}),
      why: '',
      run,
      totals: new Totals(),
      unread,
      absent: [],
      trans: translate,
      advise: null,
      showErrors: null
    });
    expect([...node.querySelectorAll('li')].map(item => item.textContent)).toEqual([HOSTILE]);
  });

  it('says before its figures why its recording ends early, once and as text', () => {
    const run = made({ functions: [], rows: [] });
    const node = summary({
      facts: readFacts({ missing: [HOSTILE, 'more'] }),
      why: HOSTILE,
      run,
      totals: new Totals(),
      unread: [],
      absent: [],
      trans: translate,
      advise: null,
      showErrors: null
    });
    const text = node.textContent ?? '';
    expect(text.indexOf(HOSTILE)).toBeGreaterThan(0);
    expect(text.indexOf(HOSTILE)).toBeLessThan(text.indexOf('Executions'));
    expect([...node.querySelectorAll('li')].map(item => item.textContent)).toEqual(['more']);
  });

  it('says how many functions are not listed', () => {
    const functions = Array.from({ length: 12 }, (_, i) => `f${i}`);
    const node = shown(made({ functions, rows: [] }), totalsOf(functions.map((_, i) => [i, i + 1])));
    expect(rows(node)).toHaveLength(10);
    expect(rows(node)[0]?.[0]).toBe('f11');
    expect(node.textContent).toContain('and 2 more functions');
  });

  it('says of when the workers are, where some have left', () => {
    const text = (...statuses: readonly ('running' | 'lost')[]): (string | null | undefined)[] => {
      const run = cluster({ workers: statuses.map((status, i) => ({ name: String(i), address: `tcp://${i}:1`, status })) });
      const node = shown(run, new Totals());
      return ['workers', 'threads', 'memory'].map(id => node.querySelector(`[data-figure="${id}"] dt`)?.textContent);
    };
    expect(text('running', 'running')).toEqual(['Workers', 'Threads', 'Memory limit']);
    expect(text('running', 'lost')).toEqual(['Workers at the end', 'Threads at the end', 'Memory limit at the end']);
    // All have left: the figures are of all.
    expect(text('lost', 'lost')).toEqual(['Workers', 'Threads', 'Memory limit']);
  });

  it('does not add up threads and memory of workers that came one after another', () => {
    const workers = [1, 2].map(i => ({ name: String(i), address: `tcp://${i}:1`, status: 'lost' as const }));
    const run = cluster({ workers, series: [{ time: 1, workers: 1 }] });
    const names = [...shown(run, new Totals()).querySelectorAll('[data-figure] dt')].map(name => name.textContent);
    expect(names).toContain('Workers that came and left');
    expect(names).not.toContain('Threads');
    expect(names).not.toContain('Memory limit');
  });

  it('says how many workers have no limit', () => {
    const limit = (...limits: readonly number[]): string | null | undefined => {
      const workers = limits.map((memory_limit, i) => ({ name: String(i), address: `tcp://${i}:1`, memory_limit }));
      return shown(cluster({ workers }), new Totals()).querySelector('[data-figure="memory"] dd')?.textContent;
    };
    expect(limit(2 ** 30, 2 ** 30)).toBe('2.00 GiB');
    expect(limit(2 ** 30, 0)).toBe('1.00 GiB, 1 worker without');
    expect(limit(0, 0)).toBe('no limit');
  });

  it('says nothing of the limit of no workers', () => {
    const node = shown(cluster({ workers: [] }), totalsOf([]));
    const figure = (id: string): string | undefined => node.querySelector(`[data-figure="${id}"] dd`)?.textContent;
    expect(['duration', 'tasks', 'workers', 'threads', 'memory', 'peak'].map(figure)).toEqual([
      '–',
      '0',
      '0',
      '0',
      '–',
      undefined
    ]);
  });

  it('says that there may have been more memory where only means of older samples are kept', () => {
    const run = (length: number): Run =>
      made({
        rows: [],
        topics: {
          series: {
            columns: {
              time: Float64Array.of(0, 5000),
              until: Float64Array.of(length, 5000),
              process_sum: Float64Array.of(2 ** 30, 2 ** 20)
            },
            scalars: { first: 0 }
          }
        }
      });
    const peak = (length: number, duration?: number): string | null | undefined =>
      summary({
        ...{ facts: readFacts({ duration }), why: '', run: run(length), totals: new Totals(), unread: [], absent: [] },
        ...{ trans: translate, advise: null, showErrors: null }
      }).querySelector('[data-figure="peak"] dd')?.textContent;
    expect(peak(9)).toBe('≥ 1.00 GiB');
    expect(peak(0)).toBe('1.00 GiB');
    expect(peak(9, 5000)).toBe('1.00 GiB');
  });

  it('shows the peak of memory, or nothing if it is not known', () => {
    const series = (process: readonly number[]): Run =>
      made({
        rows: [],
        topics: {
          series: {
            columns: { time: Float64Array.from(process, (_, i) => i), process_sum: Float64Array.from(process) },
            scalars: { first: 0 }
          }
        }
      });
    const run = series([2 ** 20, Number.NaN, 3 * 2 ** 20, 2 ** 21]);
    expect(peakMemory(run)).toBe(3 * 2 ** 20);
    expect(shown(run, new Totals()).querySelector('[data-figure="peak"] dd')?.textContent).toBe('3.00 MiB');
    expect(peakMemory(series([Number.NaN]))).toBeNull();
    expect(shown(series([Number.NaN]), new Totals()).querySelector('[data-figure="peak"]')).toBeNull();
  });
});
