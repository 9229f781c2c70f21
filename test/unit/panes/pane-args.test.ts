import { describe, expect, it } from 'vitest';
import { readBinding, sameBinding } from '../../../src/clients/binding';
import { type PaneArgs, readPaneArgs, writePaneArgs } from '../../../src/panes/pane/pane-args';

const args: PaneArgs = {
  plot: 'progress',
  number: 2,
  binding: { follow: false, path: 'a.ipynb', client: 'c' },
  options: { sort: 'use' },
  hidden: ['inc'],
  table: true,
  legend: false,
  saved: { zoom: 2, follow: false },
  cleared: { run: 'feed 0', before: 1_700_000_000.5, row: 12, tasks: 12, erred: 1, moves: 3, sums: { 'compute 1': 2.5 } }
};

describe('pane arguments', () => {
  it('survive a workspace file', () => {
    expect(readPaneArgs(JSON.parse(JSON.stringify(writePaneArgs(args))))).toEqual(args);
    const following: PaneArgs = { ...args, binding: { follow: true } };
    expect(readPaneArgs(JSON.parse(JSON.stringify(writePaneArgs(following)))).binding).toBeUndefined();
  });

  it('keep the sums of a cleared history, unless there are many, for which workspaces would be large', () => {
    const saved = (sums: Record<string, number>) => {
      const cleared = { run: 'feed 0', before: 1, row: 0, tasks: 0, erred: 0, moves: 0, sums };
      return readPaneArgs(JSON.parse(JSON.stringify(writePaneArgs({ ...args, cleared })))).cleared;
    };
    expect(saved(Object.fromEntries(Array.from({ length: 2001 }, (_, i) => [`compute ${i}`, 1])))).toBeUndefined();
    const odd = { run: 'f', before: 1, row: 1, tasks: 0, erred: 0, moves: 0, sums: { a: 'x', b: 1 } };
    expect(readPaneArgs({ plot: 'p', cleared: odd }).cleared?.sums).toEqual({ b: 1 });
  });

  it('are read with care: a workspace file may hold anything', () => {
    const odd = {
      plot: 7,
      number: -1,
      binding: 'x',
      options: { sort: {} },
      hidden: [1, 'inc'],
      table: 'yes',
      saved: { a: [], b: 1 },
      cleared: { run: 'feed 0', before: 'x', row: 1, tasks: 1, erred: 0, moves: 0 }
    };
    expect(readPaneArgs(odd)).toEqual({
      plot: '',
      binding: { follow: true },
      options: {},
      hidden: ['inc'],
      table: false,
      legend: true,
      saved: { b: 1 }
    });
  });
});

it('bindings are the same by what they mean', () => {
  const pinned = readBinding({ path: 'a', client: 'c' });
  expect(sameBinding(pinned, { follow: false, path: 'a', client: 'c' })).toBe(true);
  expect(sameBinding(pinned, { follow: true })).toBe(false);
  for (const odd of [undefined, null, 'a', ['a', 'c'], { path: 'a' }, { path: 'a', client: 7 }, { path: {}, client: 'c' }]) {
    expect(readBinding(odd)).toEqual({ follow: true });
  }
});
