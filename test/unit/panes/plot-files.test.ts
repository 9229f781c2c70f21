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
import { MOST_BOXES } from '../../../src/panes/exports/svg/output';
import { type Drawing, drawnBy, Unfinished } from '../../../src/views/canvas/drawn/drawn';
import type { Pen } from '../../../src/views/canvas/drawn/pen';
import { blankCanvases } from '../views/blank-canvas';

const pane = document.createElement('div');

describe('the files of a pane', () => {
  afterEach(() => vi.restoreAllMocks());

  it('are a table for every plot, and samples for a profile that has some', () => {
    const run = cluster({ time: 1004 });
    const shown = { run, context: () => context() };
    const items = (plot: Plot, more = {}): MenuItem[] => fileItems(plot, { ...shown, ...more }, pane);
    const pictures = ['Save picture as PNG', 'Save picture as SVG', 'Copy picture'];
    expect(items(progress).map(({ label }) => label)).toEqual([...pictures, 'Save table as CSV', 'Copy table']);
    expect(items(profile)[5]).toMatchObject({ label: 'Save samples for speedscope', enabled: false });
    run.profile.apply(profileBody(EXAMPLE));
    expect(items(profile)[5]).toMatchObject({ enabled: true });
    expect(items(progress, { run: null })).toEqual([]);
  });

  it('are downloaded under the name of the plot', async () => {
    const blobs: Blob[] = [];
    const names: string[] = [];
    blankCanvases();
    // Loaded before the timers stand.
    await import('../../../src/panes/exports/code');
    vi.useFakeTimers();
    const revoke = vi.fn();
    Object.assign(URL, { createObjectURL: (blob: Blob) => `blob:${blobs.push(blob)}`, revokeObjectURL: revoke });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    const run = cluster({ time: 1004 });
    run.profile.apply(profileBody(EXAMPLE));
    for (const item of fileItems(profile, { run, context: () => context() }, pane)) {
      if (!/PNG|Copy/.test(item.label)) {
        item.run();
      }
    }
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    expect(names.sort()).toEqual(['profile.csv', 'profile.speedscope.json', 'profile.svg']);
    expect(blobs.map(({ type }) => type).sort()).toEqual(['application/json', 'image/svg+xml', 'text/csv']);
    expect(revoke).toHaveBeenCalledTimes(3);
    // For those who cannot see the picture.
    const reader = new FileReader();
    reader.readAsText(blobs.find(({ type }) => type === 'image/svg+xml') ?? new Blob());
    await vi.waitFor(() => expect(reader.readyState).toBe(FileReader.DONE));
    const svg = new DOMParser().parseFromString(String(reader.result), 'image/svg+xml').documentElement;
    expect(svg.querySelector('title')?.textContent).toBe('Profile');
    expect(svg.querySelector('desc')?.textContent).toBe(profile.summary(run, context()));
  });

  it('are not made where programs could not show them or the picture is not complete, and that is said', async () => {
    blankCanvases();
    const say = vi.spyOn(Notification, 'error').mockReturnValue('');
    const save = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const box = { x: 0, y: 0, left: 0, top: 0, right: 100, bottom: 100, width: 100, height: 100 } as DOMRect;
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(box);
    const canvas = document.createElement('canvas');
    const shown = document.createElement('div');
    shown.append(canvas);
    document.body.append(shown);
    const refusal = async (drawing: Drawing): Promise<unknown> => {
      drawnBy(canvas, drawing);
      say.mockClear();
      const items = fileItems(profile, { run: cluster({ time: 1 }), context: () => context() }, shown);
      items.find(({ label }) => label === 'Save picture as SVG')?.run();
      await vi.waitFor(() => expect(say).toHaveBeenCalledOnce(), 20_000);
      return say.mock.calls[0][0];
    };
    const many = (pen: Pen): void => {
      for (let i = 0; i <= MOST_BOXES; i++) {
        pen.fillRect(i, 0, 1, 1);
      }
    };
    expect(await refusal(many)).toMatch(/too many marks for SVG/);
    const early = (): void => {
      throw new Unfinished();
    };
    expect(await refusal(early)).toMatch(/still being painted/);
    expect(save).not.toHaveBeenCalled();
    shown.remove();
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
      const shown = { run: cluster({ time: 1 }), context: () => context() };
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
      },
      summary: () => {
        throw error;
      }
    };
    const items = fileItems(plot, { run: cluster({ time: 1 }), context: () => context() }, pane);
    for (const { label, run } of items) {
      if (/CSV|SVG|Copy table/.test(label)) {
        run();
      }
    }
    await vi.waitFor(() => expect(say).toHaveBeenCalledTimes(3));
    const said = ['Copy table', 'Save picture as SVG', 'Save table as CSV'].map(label => `"${label}" failed: no table`);
    expect(say.mock.calls.map(([message]) => message).sort()).toEqual(said.sort());
  });

  const itemsOf = (plot: Plot): MenuItem[] => fileItems(plot, { run: cluster({ time: 1 }), context: () => context() }, pane);

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
