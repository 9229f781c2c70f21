// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fileItems } from '../../../src/panes/exports/plot-files';
import { profile } from '../../../src/plots/time/profile';
import { progress } from '../../../src/plots/tasks/progress';
import { cluster, context } from '../plots/cluster';
import { EXAMPLE, profileBody } from '../run/profile-body';

describe('the files of a pane', () => {
  afterEach(() => vi.restoreAllMocks());

  it('are a table for every plot, and samples for a profile that has some', () => {
    const run = cluster({ time: 1004 });
    const shown = { run, context: () => context(), fail: vi.fn() };
    expect(fileItems(progress, shown).map(({ label }) => label)).toEqual(['Save table as CSV']);
    expect(fileItems(profile, shown)[1]).toMatchObject({ label: 'Save samples for speedscope', enabled: false });
    run.profile.apply(profileBody(EXAMPLE));
    expect(fileItems(profile, shown)[1]).toMatchObject({ enabled: true });
    expect(fileItems(progress, { ...shown, run: null })).toEqual([]);
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
    for (const item of fileItems(profile, { run, context: () => context(), fail: vi.fn() })) {
      item.run();
    }
    vi.runAllTimers();
    vi.useRealTimers();
    expect(names).toEqual(['profile.csv', 'profile.speedscope.json']);
    expect(blobs.map(({ type }) => type)).toEqual(['text/csv', 'application/json']);
    expect(revoke).toHaveBeenCalledTimes(2);
  });

  it('that cannot be made are told in the pane', () => {
    const fail = vi.fn();
    const error = new Error('no table');
    const plot = {
      ...progress,
      table: () => {
        throw error;
      }
    };
    fileItems(plot, { run: cluster({ time: 1 }), context: () => context(), fail })[0].run();
    expect(fail).toHaveBeenCalledWith(error);
  });
});
