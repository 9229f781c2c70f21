// @vitest-environment jsdom
import { Notification } from '@jupyterlab/apputils';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fileItems } from '../../../src/panes/exports/plot-files';
import { profile } from '../../../src/plots/time/profile';
import { progress } from '../../../src/plots/tasks/progress';
import type { MenuItem } from '../../../src/plot-frame/menu-item';
import type { Plot } from '../../../src/plot/plot';
import { cluster, context } from '../plots/cluster';
import { EXAMPLE, profileBody } from '../run/profile-body';

const pane = document.createElement('div');

describe('the files of a pane', () => {
  afterEach(() => vi.restoreAllMocks());

  it('are a table for every plot, and samples for a profile that has some', () => {
    const run = cluster({ time: 1004 });
    const shown = { run, svg: null, context: () => context() };
    const items = (plot: Plot, more = {}): MenuItem[] => fileItems(plot, { ...shown, ...more }, pane);
    const pictures = ['Save picture as PNG', 'Copy picture'];
    expect(items(progress).map(({ label }) => label)).toEqual([...pictures, 'Save table as CSV', 'Copy table']);
    expect(items(progress, { svg: vi.fn() })[1].label).toBe('Save picture as SVG');
    expect(items(profile)[4]).toMatchObject({ label: 'Save samples for speedscope', enabled: false });
    run.profile.apply(profileBody(EXAMPLE));
    expect(items(profile)[4]).toMatchObject({ enabled: true });
    expect(items(progress, { run: null })).toEqual([]);
  });

  it('are downloaded under the name of the plot', async () => {
    const blobs: Blob[] = [];
    const names: string[] = [];
    vi.useFakeTimers();
    const revoke = vi.fn();
    Object.assign(URL, { createObjectURL: (blob: Blob) => `blob:${blobs.push(blob)}`, revokeObjectURL: revoke });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    const run = cluster({ time: 1004 });
    run.profile.apply(profileBody(EXAMPLE));
    const svg = (): Promise<string> => Promise.resolve('<svg/>');
    for (const item of fileItems(profile, { run, svg, context: () => context() }, pane)) {
      if (!/PNG|Copy/.test(item.label)) {
        item.run();
      }
    }
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    expect(names.sort()).toEqual(['profile.csv', 'profile.speedscope.json', 'profile.svg']);
    expect(blobs.map(({ type }) => type).sort()).toEqual(['application/json', 'image/svg+xml', 'text/csv']);
    expect(revoke).toHaveBeenCalledTimes(3);
  });

  it('say so where they have not all rows', () => {
    const warn = vi.spyOn(Notification, 'warning').mockReturnValue('');
    Object.assign(URL, { createObjectURL: () => 'blob:1', revokeObjectURL: () => undefined });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const save = (total: number | undefined): void => {
      const table: Plot['table'] = () => ({
        columns: [],
        rows: [{ id: '1', cells: [] }],
        ...(total === undefined ? {} : { total })
      });
      const shown = { run: cluster({ time: 1 }), svg: null, context: () => context() };
      for (const { label, run } of fileItems({ ...progress, table }, shown, pane)) {
        if (label.includes('table')) {
          run();
        }
      }
    };
    save(undefined);
    save(1);
    expect(warn).not.toHaveBeenCalledWith(expect.stringContaining('newest'), expect.anything());
    save(1234);
    const cut = warn.mock.calls.filter(([text]) => String(text).includes('newest'));
    expect(cut.map(([text]) => text)).toEqual(['These are the newest 1 of 1,234 rows.', 'These are the newest 1 of 1,234 rows.']);
  });

  it('that cannot be made are reported, and the picture stays', async () => {
    const say = vi.spyOn(Notification, 'error').mockReturnValue('');
    const error = new Error('no table');
    const plot = {
      ...progress,
      table: () => {
        throw error;
      }
    };
    const svg = (): Promise<string> => Promise.reject(error);
    const items = fileItems(plot, { run: cluster({ time: 1 }), svg, context: () => context() }, pane);
    for (const { label, run } of items) {
      if (/CSV|SVG|Copy table/.test(label)) {
        run();
      }
    }
    await vi.waitFor(() => expect(say).toHaveBeenCalledTimes(3));
    const said = ['Copy table', 'Save picture as SVG', 'Save table as CSV'].map(label => `“${label}” failed: no table`);
    expect(say.mock.calls.map(([message]) => message).sort()).toEqual(said.sort());
  });

  const itemsOf = (plot: Plot): MenuItem[] =>
    fileItems(plot, { run: cluster({ time: 1 }), svg: null, context: () => context() }, pane);

  it('are offered instead of a copied picture where the browser has no clipboard: on plain http', () => {
    const warn = vi.spyOn(Notification, 'warning').mockReturnValue('');
    expect(navigator.clipboard).toBeUndefined();
    itemsOf(progress)
      .find(({ label }) => label === 'Copy picture')
      ?.run();
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('https'), {
      autoClose: false,
      actions: [expect.objectContaining({ label: 'Save picture as PNG' })]
    });
  });

  it('are offered instead of a copied table where the browser refuses', async () => {
    const warn = vi.spyOn(Notification, 'warning').mockReturnValue('');
    Object.assign(document, { execCommand: () => false });
    itemsOf(progress)
      .find(({ label }) => label === 'Copy table')
      ?.run();
    await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce());
    expect(warn.mock.calls[0][1]).toMatchObject({ actions: [{ label: 'Save table as CSV' }] });
    expect(document.querySelector('textarea')).toBeNull();
  });
});
