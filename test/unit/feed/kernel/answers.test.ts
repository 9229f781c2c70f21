// Answers of a kernel are untrusted: what is usable is read, what is not is left out or counts as missing, and everything is bounded.
import { describe, expect, it } from 'vitest';
import { bodyOf, envelope, Refusal } from '../../../../src/feed/kernel/ask-kernel';
import { isAnnouncement } from '../../../../src/feed/kernel/announcement';
import { parseClients } from '../../../../src/feed/kernel/parse-clients';
import { parseInitial, parseOptions } from '../../../../src/feed/kernel/parse-options';
import { RECORDING_KEY } from '../../../../src/feed/kernel/kernel-channel';

const ODD = [undefined, null, 'text', true, []];

describe('options of a kernel', () => {
  const nothing = {
    enabled: true,
    attach: true,
    local: true,
    actions: true,
    code: null,
    profileHistory: null,
    ringRows: null,
    intervals: new Map(),
    activityInterval: null,
    problems: [],
    clusters: { factory: '', presets: [], unlisted: 0, initial: [] }
  };

  it('are unknown where the answer is no map', () => {
    for (const odd of [...ODD, 7]) {
      expect(parseOptions(odd)).toBeNull();
    }
  });

  it('have defaults where they are missing or of another type', () => {
    expect(parseOptions({})).toEqual(nothing);
    for (const odd of ODD) {
      const all = {
        attach: odd,
        ...(odd === true ? {} : { code: odd }),
        ringRows: odd,
        activityInterval: odd,
        intervals: odd,
        problems: odd,
        clusters: odd
      };
      expect(parseOptions(all)).toEqual(nothing);
    }
  });

  it('are read where they are given', () => {
    const options = parseOptions({
      enabled: false,
      attach: false,
      local: false,
      actions: false,
      code: false,
      profileHistory: true,
      ringRows: 5000,
      activityInterval: 90,
      intervals: { tasks: 0.5, workers: 'often', events: 2 },
      problems: ['one', 2, 'three'],
      clusters: {
        factory: 'make.cluster',
        presets: [{ name: 'small', class: 'LocalCluster' }, { class: 'Nameless' }, 'odd', null, { name: 'plain' }],
        unlisted: 7,
        initial: [{ name: 'first', workers: 2 }]
      }
    });
    expect(options).toEqual({
      enabled: false,
      attach: false,
      local: false,
      actions: false,
      code: false,
      profileHistory: true,
      ringRows: 5000,
      activityInterval: 90,
      intervals: new Map([
        ['tasks', 0.5],
        ['events', 2]
      ]),
      problems: ['one', 'three'],
      clusters: {
        factory: 'make.cluster',
        presets: [
          { name: 'small', kind: 'LocalCluster' },
          { name: 'plain', kind: '' }
        ],
        unlisted: 7,
        initial: [{ name: 'first', workers: 2 }]
      }
    });
  });

  it('are bounded in number and length', () => {
    const long = 'x'.repeat(5000);
    const options = parseOptions({
      intervals: Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`${i}${long}`, 1])),
      problems: Array.from({ length: 150 }, () => long),
      clusters: { factory: long, presets: Array.from({ length: 150 }, () => ({ name: long, class: long })) }
    });
    expect(options?.intervals.size).toBe(100);
    expect([...(options?.intervals.keys() ?? [])].every(topic => topic.length === 1000)).toBe(true);
    expect(options?.problems.map(text => text.length)).toEqual(Array.from({ length: 100 }, () => 1000));
    expect(options?.clusters.factory.length).toBe(64);
    expect(options?.clusters.presets.map(({ name, kind }) => [name.length, kind.length])).toEqual(
      Array.from({ length: 100 }, () => [64, 64])
    );
  });

  it('start a cluster with a fixed number of workers, or between two numbers', () => {
    expect(
      parseInitial([
        { name: 'fixed', preset: 'small', workers: 3 },
        { name: 'adaptive', minimum: 1, maximum: 4, workers: 9 },
        { name: 'from none', maximum: 1 },
        { name: 'odd', minimum: -1, maximum: 2 },
        { name: 'no worker yet', workers: 0, maximum: 0 },
        { name: 'no whole number', workers: 1.5, maximum: Number.NaN },
        { name: 'one', workers: 1 },
        { workers: '3' }
      ])
    ).toEqual([
      { name: 'fixed', preset: 'small', workers: 3 },
      { name: 'adaptive', minimum: 1, maximum: 4 },
      { name: 'from none', minimum: 0, maximum: 1 },
      { name: 'odd', minimum: 0, maximum: 2 },
      { name: 'no worker yet', workers: 0 },
      { name: 'no whole number' },
      { name: 'one', workers: 1 },
      { name: '' }
    ]);
    expect(parseInitial(Array.from({ length: 20 }, () => ({ name: 'a' })))).toHaveLength(8);
    expect(parseInitial('many')).toEqual([]);
  });
});

describe('clients of a kernel', () => {
  const plain = {
    variable: '',
    cluster: '',
    address: '',
    dashboard: '',
    dashboardReason: '',
    status: 'running',
    workers: 0,
    threads: 0,
    memoryLimit: 0,
    created: 0,
    limited: ''
  };

  it('are those with a key that is not of a recording', () => {
    expect(parseClients([{ key: 'a' }, null, 'b', 7, {}, { key: 7 }, { key: `${RECORDING_KEY}x` }, { key: 'c' }])).toEqual([
      { key: 'a', ...plain },
      { key: 'c', ...plain }
    ]);
    for (const odd of [undefined, null, 'a', { key: 'a' }]) {
      expect(parseClients(odd)).toEqual([]);
    }
  });

  it('have what the kernel said of them', () => {
    const given = {
      key: 'k',
      kind: 'local',
      variable: 'client',
      cluster: 'LocalCluster',
      address: 'tcp://1.2.3.4:5',
      scheduler: 's',
      dashboard: 'http://1.2.3.4:8787',
      dashboardReason: 'why',
      status: 'closed',
      workers: 3,
      threads: 12,
      memoryLimit: 1e9,
      created: 1.7e9,
      closedAt: 1.8e9,
      notice: 'older',
      limited: 'no plugin',
      scaling: 'adaptive',
      actions: 'none'
    };
    expect(parseClients([given])).toEqual([given]);
  });

  it('have no invalid numbers, no unknown kinds or states, and no endless texts', () => {
    const [odd] = parseClients([
      {
        key: 'k'.repeat(3000),
        kind: 'other',
        status: 'dancing',
        workers: -1,
        threads: Number.POSITIVE_INFINITY,
        memoryLimit: '1',
        created: Number.NaN,
        closedAt: 'now',
        scaling: 1,
        actions: null,
        scheduler: 7
      }
    ]);
    expect(odd).toEqual({ ...plain, key: 'k'.repeat(1000) });
  });

  it('have no amount beyond all amounts, no cut link and no half character', () => {
    const link = `http://host/${'x'.repeat(1900)}`;
    const [long, endless] = parseClients([
      {
        key: 'a',
        dashboard: link,
        workers: 1e300,
        memoryLimit: 2 ** 54,
        created: -1,
        closedAt: 1e300,
        variable: '😀'.repeat(2000)
      },
      { key: 'b', dashboard: `${link}${'x'.repeat(1000)}`, address: '\ud800' }
    ]);
    expect(long).toEqual({ ...plain, key: 'a', dashboard: link, variable: '😀'.repeat(1000) });
    expect(endless).toEqual({ ...plain, key: 'b', address: '\ud800' });
  });
});

describe('messages', () => {
  it('of the debugger carry requests to the bridge, each with a number of its own', () => {
    const first = envelope('subscribe', { key: 'k' });
    const second = envelope('renew', {});
    expect(first).toEqual({ type: 'request', seq: first.seq, command: 'daskPanes', arguments: { op: 'subscribe', key: 'k' } });
    expect(second.seq).toBe(first.seq + 1);
  });

  it('announce the bridge on its own channel only', () => {
    const message = (type: string, comm?: string): Parameters<typeof isAnnouncement>[0] =>
      ({ header: { msg_type: type }, content: { comm_id: comm } }) as Parameters<typeof isAnnouncement>[0];
    expect(isAnnouncement(message('comm_msg', 'dask-panes-announce'))).toBe(true);
    expect(isAnnouncement(message('comm_msg', 'a-widget'))).toBe(false);
    expect(isAnnouncement(message('comm_open', 'dask-panes-announce'))).toBe(false);
    expect(isAnnouncement(message('stream'))).toBe(false);
  });

  it('without a usable answer are empty', () => {
    const body = (content: unknown): unknown => bodyOf({ content } as Parameters<typeof bodyOf>[0]);
    expect(body({ success: true, body: { a: 1 } })).toEqual({ success: true, body: { a: 1 } });
    expect(body({ success: 'yes', body: 7 })).toEqual({ success: false, body: { value: 7 } });
    expect(body({ success: true, body: null })).toEqual({ success: true, body: { value: null } });
    expect(body(null)).toEqual({ success: false, body: { value: undefined } });
    expect(body('text')).toEqual({ success: false, body: { value: undefined } });
  });

  it('of refusal have the words of the bridge, if it has any', () => {
    const explained = new Refusal({ message: 'No such client.' });
    expect([explained.message, explained.explained]).toEqual(['No such client.', true]);
    const unexplained = new Refusal({ message: 7 });
    expect([unexplained.message, unexplained.explained]).toEqual(['The kernel does not know Dask Panes.', false]);
  });
});
