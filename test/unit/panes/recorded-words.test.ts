// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { type MenuPane, paneMenu } from '../../../src/panes/pane/pane-menus';
import { StatusLine } from '../../../src/panes/pane/status-line';
import type { Binding } from '../../../src/clients/model';
import { workers } from '../../../src/plots/workers/workers';
import { localTasks } from '../../../src/plots/local/tasks';
import { translate as trans } from '../translate';

const RECORDED: Binding = { follow: false, path: 'run.dask-run', client: 'recording:run.dask-run' };

it.each([
  ['live', { follow: true } as const, ['Follow live', 'Save report', 'Save this plot as HTML']],
  ['recorded', RECORDED, ['Follow the clock']]
] as const)('the menu of a paused pane that is %s offers what can be done', (_, binding, offered) => {
  const args = { plot: 'workers', number: 1, binding, options: {}, hidden: [], table: false, legend: true, saved: {} };
  const pane = { plot: workers, restoreArgs: args, live: {}, isPaused: true, isClearable: false } as unknown as MenuPane;
  const nothing = (): void => undefined;
  const parts = { options: [], isCleared: false, clients: [], files: [], change: nothing, explain: nothing, saveReport: nothing };
  const items = paneMenu(pane, parts, trans).filter(item => item !== null && item.enabled !== false);
  const labels = items.map(item => item?.label ?? '');
  expect(labels.filter(label => /^(Follow|Save)/.test(label))).toEqual(offered);
});

it('no report is offered of a local scheduler, which has none', () => {
  const args = {
    plot: 'local-tasks',
    number: 1,
    binding: { follow: true },
    options: {},
    hidden: [],
    table: false,
    legend: true,
    saved: {}
  };
  const pane = { plot: localTasks, restoreArgs: args, live: {}, isPaused: false, isClearable: false } as unknown as MenuPane;
  const nothing = (): void => undefined;
  const parts = { options: [], isCleared: false, clients: [], files: [], change: nothing, explain: nothing, saveReport: nothing };
  const reports = paneMenu(pane, parts, trans).filter(item => /^Save (report|this plot as HTML)$/.test(item?.label ?? ''));
  expect(reports.map(item => item?.enabled)).toEqual([false, false]);
});

it('the status line of a paused pane leads back to what goes on', () => {
  const nothing = (): void => undefined;
  const actions = { resume: nothing, showCleared: nothing, unselect: nothing, statistics: nothing, choose: nothing };
  const line = new StatusLine(trans, actions);
  const said = (recorded: boolean): string => {
    const status = { state: 'paused', sign: 'bars', text: 'paused at 0:12.3', resumable: true } as const;
    line.setStatus(status, recorded, { ...status, spoken: status.text });
    return line.node.querySelector('.dp-Status-state')?.textContent ?? '';
  };
  expect(said(false)).toBe('paused at 0:12.3follow live');
  expect(said(true)).toBe('paused at 0:12.3follow the clock');
});
