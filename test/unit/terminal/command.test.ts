import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CAUSES } from '../../../src/advice/advice';
import { adviceOf } from '../../../src/advice/shown';
import { english } from '../../../src/plot/translation';
import { openRun } from '../../../src/report/open';
import { made } from '../advice/made';
import { tasksBody } from '../run/synthetic';
import { infoOf, infoText } from '../../../src/terminal/info';
import { type Printed, printed } from '../../../src/terminal/command';

/** One of its tasks ends with an error. */
const FILE = fileURLToPath(new URL('../../fixtures/run.dask-run', import.meta.url));
const PAGE = new URL('../../../docs/advice.md', import.meta.url);
/** Nothing had ended when its client was closed. */
const CLOSED = fileURLToPath(new URL('../../fixtures/closed.dask-run', import.meta.url));

const run = (...args: readonly string[]): Promise<Printed> => printed(args, readFile);

async function fails(args: readonly string[], message: RegExp, read: Parameters<typeof printed>[1] = readFile): Promise<void> {
  const { out, err, status } = await printed(args, read);
  expect(err.join('\n')).toMatch(message);
  expect(out).toEqual([]);
  expect(status).toBe(2);
}

describe('advise', () => {
  it('prints what the pane says of the same recording', async () => {
    const { out, status } = await run('advise', FILE, '--json');
    const said = JSON.parse(out.join('\n'));
    const { run: recorded } = await openRun(await readFile(FILE));
    const advice = adviceOf(recorded, null, english);
    expect(status).toBe(0);
    expect(said.headline).toBe(advice.headline);
    expect(said.verdicts).toEqual(JSON.parse(JSON.stringify(advice.verdicts)));
    expect(said.verdicts.map((each: { cause: string }) => each.cause)).toEqual(['failures']);
    expect(said.threadSeconds).toBeCloseTo(said.wall * said.threads);
    expect([...said.verdicts, ...said.absent, ...said.unknown]).toHaveLength(CAUSES.length);
  });

  it('prints no field as JSON that the documentation does not name', async () => {
    const said = JSON.parse((await run('advise', FILE, '--json')).out.join('\n'));
    const [, text = ''] = (await readFile(fileURLToPath(PAGE), 'utf8')).split('`--json` prints one object');
    const named = new Set([...(text.split('\n\n')[0] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name));
    const fields = [said, said.verdicts[0], said.absent[0], said.unknown[0]].flatMap(Object.keys);
    expect(fields.filter(field => !named.has(field))).toEqual([]);
  });

  it('prints text for users, in lines of a terminal', async () => {
    const { out, err } = await run('advise', FILE);
    const text = out.join('\n');
    expect(text).toMatch(/\n1\. Tasks end with an error \(failures\): /);
    expect(text).toContain('What to do: ');
    expect(text).toContain('Could not be checked: ');
    expect(Math.max(...out.slice(1).map(line => line.length))).toBeLessThanOrEqual(100);
    expect(err).toEqual([]);
  });

  it('ends with 1 if a cause is found that it shall fail on', async () => {
    expect((await run('advise', FILE, '--fail-on', 'spilling, failures')).status).toBe(1);
    expect((await run('advise', FILE, '--fail-on=any')).status).toBe(1);
    expect((await run('advise', FILE, '--fail-on', 'failures', '--fail-on=straggler')).status).toBe(1);
    const other = await run('advise', FILE, '--fail-on', 'straggler');
    expect([other.status, other.err]).toEqual([0, []]);
  });

  it('says which of these causes are not known', async () => {
    const { status, err } = await run('advise', FILE, '--fail-on', 'data-by-value');
    expect(status).toBe(0);
    expect(err.join()).toMatch(/not known whether there is data-by-value: /);
  });
});

describe('info', () => {
  it('says how many tasks the scheduler no longer had', async () => {
    const recorded = await openRun(await readFile(FILE));
    const problems = (lost: number): readonly string[] => {
      const run = made({ rows: [] });
      run.tasks.apply({ ...tasksBody([{ start: 1, duration: 1 }], 100), scalars: { first: 100, lost } });
      return infoOf({ ...recorded, run }, 0).problems;
    };
    expect(problems(0)).toEqual([]);
    expect(problems(1)).toEqual(['1 task is missing: the scheduler no longer had it.']);
    expect(problems(1234)).toEqual(['1,234 tasks are missing: the scheduler no longer had them.']);
  });

  it('prints what the recording contains', async () => {
    const said = JSON.parse((await run('info', FILE, '--json')).out.join('\n'));
    expect(said).toMatchObject({ file: FILE, workers: 4, complete: true, problems: [] });
    expect(said.functions[0].seconds).toBeGreaterThan(0);
    const text = (await run('info', FILE)).out.join('\n');
    expect(text).toMatch(/Tasks +\d+/);
    expect(text).toContain('Functions, longest first');
  });

  it('reports what is left out of a damaged recording', async () => {
    const damaged = new Uint8Array(await readFile(FILE));
    damaged.fill(0, damaged.length / 2, damaged.length / 2 + 200);
    const { status, err } = await printed(['info', FILE], async () => damaged);
    expect(status).toBe(0);
    expect(err.join()).toMatch(/left out/);
  });
});

describe('a recording in which nothing can be read', () => {
  it('is not one in which nothing ran', async () => {
    const damaged = new Uint8Array(await readFile(FILE));
    const { recording } = await openRun(damaged);
    for (const { offset, stored } of [...recording.chunks, ...recording.keyframes]) {
      damaged[offset + Math.floor(stored / 2)] ^= 0xff;
    }
    const { out, err, status } = await printed(['advise', FILE, '--fail-on', 'any'], async () => damaged);
    expect([status, out]).toEqual([2, []]);
    expect(err.join()).toMatch(/what ran could not be read\. .*left out/);
    const messages = (await printed(['info', FILE], async () => damaged)).err;
    expect(messages.length).toBeGreaterThan(0);
    expect(new Set(messages).size).toBe(messages.length);
  });
});

describe('a recording that ends before anything ran', () => {
  it('is not one in which nothing ran', async () => {
    const whole = new Uint8Array(await readFile(FILE));
    const { recording } = await openRun(whole);
    const [first] = recording.chunks;
    for (const length of [first.offset + 1, first.offset + Math.floor(first.stored / 2)]) {
      const { out, err, status } = await printed(['advise', FILE, '--fail-on', 'any'], async () => whole.slice(0, length));
      expect([status, out]).toEqual([2, []]);
      expect(err.join()).toMatch(/what ran could not be read\. It was not finished, or its end is damaged\./);
    }
  });
});

describe('info', () => {
  it('says how many functions are not listed', async () => {
    const listed = (count: number): readonly [number, number, string] => {
      const functions = Array.from({ length: count }, (_, i) => `f${i}`);
      const run = made({ functions, rows: functions.map((_, prefix) => ({ prefix, start: 1, duration: 1 })) });
      const info = infoOf({ ...recorded, run }, 0);
      return [info.functions.length, info.moreFunctions, infoText('', info).at(-1) ?? ''];
    };
    const recorded = await openRun(await readFile(FILE));
    expect(listed(20)).toEqual([20, 0, expect.stringMatching(/: 1 task, 1.00 s$/)]);
    expect(listed(21)).toEqual([20, 1, '    and 1 more function']);
    expect(listed(57)).toEqual([20, 37, '    and 37 more functions']);
  });

  it('takes any time of a writer', async () => {
    const bytes = await readFile(FILE);
    const info = infoOf(await openRun(bytes), bytes.length);
    const recorded = (created: number): string =>
      infoText(FILE, { ...info, created }).find(line => line.includes('Recorded')) ?? '';
    expect(recorded(1.5)).toBe('  Recorded    1970-01-01T00:00:01.500Z');
    expect([1e300, -1e300, 8.65e12, Number.NaN, Number.POSITIVE_INFINITY].map(recorded)).toEqual(['', '', '', '', '']);
  });
});

describe('a recording whose index is damaged', () => {
  it('is not said to have ended early', async () => {
    const bytes = new Uint8Array(await readFile(FILE));
    bytes[bytes.length - 30] ^= 1;
    const { out, status } = await printed(['info', FILE, '--json'], async () => bytes);
    const whole = JSON.parse((await run('info', FILE, '--json')).out.join('\n'));
    const info = JSON.parse(out.join('\n'));
    expect([status, info.complete, info.tasks, info.duration]).toEqual([0, false, whole.tasks, whole.duration]);
    expect(info.problems).toEqual([
      'It was not finished, or its end is damaged.',
      '16 B are cut off or damaged. What they held is left out.'
    ]);
  });
});

describe('a recording that could be finished, but ends early', () => {
  it('says why, and is not one in which nothing ran', async () => {
    const { out, err, status } = await run('info', CLOSED, '--json');
    const why = 'The client was closed before the end of the block.';
    expect([status, JSON.parse(out.join('\n')).problems]).toEqual([0, expect.arrayContaining([why])]);
    expect(err.join()).toContain(why);
    await fails(['advise', CLOSED, '--fail-on', 'any'], /what ran could not be read\. The client was closed/);
  });
});

describe('a mistake', () => {
  it('of the arguments is explained', async () => {
    await fails(['advice', FILE], /advise or info[\s\S]*--help/);
    await fails(['advise'], /needs one file/);
    await fails(['advise', FILE, FILE], /needs one file/);
    await fails(['advise', FILE, '--jsn'], /no option --jsn/);
    await fails(['advise', FILE, '--fail-on', 'spiling'], /no cause spiling. Causes: .*spilling/);
    for (const none of [
      ['--fail-on'],
      ['--fail-on='],
      ['--fail-on', ','],
      ['--fail-on', ' '],
      ['--fail-on= , '],
      ['--fail-on', '']
    ]) {
      await fails(['advise', FILE, ...none], /--fail-on needs/);
    }
    await fails(['info', FILE, '--newest'], /options of advise/);
  });

  it('of the file is explained', async () => {
    await fails(['advise', '/nowhere/run.dask-run'], /nowhere\/run.dask-run does not exist/);
    await fails(['advise', fileURLToPath(new URL('.', import.meta.url))], /is a folder/);
    const other = async (): Promise<Uint8Array> => new TextEncoder().encode('<html>');
    await fails(['advise', FILE], /not a recording of Dask Panes\. Give a file that dask_panes\.record\(\) wrote\.$/, other);
    const newer = async (): Promise<Uint8Array> => new Uint8Array(await readFile(FILE)).fill(2, 8, 9);
    await fails(
      ['info', FILE],
      /has version 2 of its format; this reader knows 1\. Another version of Dask Panes reads it\.$/,
      newer
    );
    await fails(['advise', FILE], /recording/, async () => new Uint8Array(0));
  });

  it('has no control characters of others in it', async () => {
    const { err } = await run('advise', '/no\u001b[31mwhere');
    expect(err.join()).not.toContain('\u001b');
  });

  it('gets the usage where there is no command, or help is asked for', async () => {
    expect((await run()).status).toBe(2);
    const help = await run('--help');
    expect([help.status, help.out[0]]).toEqual([0, expect.stringContaining('Usage: dask-panes advise FILE')]);
  });
});
