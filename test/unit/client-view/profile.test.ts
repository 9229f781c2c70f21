// @vitest-environment jsdom
import { encode, ExtData } from '@msgpack/msgpack';
import type { JSONObject } from '@lumino/coreutils';
import { MimeModel } from '@jupyterlab/rendermime';
import { describe, expect, it } from 'vitest';
import { ProfileFeed } from '../../../src/client-view/profile/feed';
import { outputFactory } from '../../../src/client-view/cell/mime';
import { PROFILE_MIME_TYPE } from '../../../src/client-view/names';
import { readProfile } from '../../../src/client-view/profile/read';
import { RenderedProfile } from '../../../src/client-view/profile/rendered';
import { ProfileView } from '../../../src/client-view/profile/view';
import { openPopover } from '../../../src/plot-frame/popover';
import { DTYPE_CODES } from '../../../src/feed/schema';
import { translate } from '../translate';

const HOSTILE = '<img src=x onerror=alert(1)>';

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/** A frame of one task, as the kernel writes it into an output. */
function frame(prefix = HOSTILE): string {
  const of = (value: number): ExtData => new ExtData(DTYPE_CODES[4], new Uint8Array(Float64Array.of(value).buffer));
  const zero = new ExtData(DTYPE_CODES[0], Uint8Array.of(0));
  const tasks = {
    c: { lane: zero, prefix: zero, start: of(1000), duration: of(2), status: zero, nbytes: of(8) },
    s: { first: 0 }
  };
  const workers = { from: 0, values: [{ address: '', name: 'workers', host: '', nthreads: 1, memory_limit: 0 }] };
  const names = { prefixes: { from: 0, values: [prefix] }, workers, lanes: { from: 0, values: [[0, 0]] } };
  return base64(encode({ v: 1, feed: 'f', epoch: 0, seq: 0, time: 1002, cursor: {}, names, topics: { tasks } }));
}

const payload = (more: Readonly<Record<string, unknown>> = {}): JSONObject =>
  ({
    version: 1,
    plots: ['local-tasks', 'local-cache'],
    frames: [frame()],
    keys: [HOSTILE],
    tasks: ['f(…)'],
    ...more
  }) as JSONObject;

describe('the JSON of a profile', () => {
  it('gives plots, frames, keys and calls', async () => {
    const profile = readProfile(payload());
    expect(profile?.plots.map(plot => plot.id)).toEqual(['local-tasks', 'local-cache']);
    expect(profile?.frames[0].names.prefixes?.values).toEqual([HOSTILE]);
    const feed = new ProfileFeed(profile ?? { plots: [], frames: [], keys: [], tasks: [] });
    expect(await feed.request('key', { row: 0 })).toEqual({ key: HOSTILE, task: 'f(…)' });
    expect(await feed.request('key', { row: 7 })).toBeNull();
    expect(await feed.request('cancel', { row: 0 })).toBeNull();
  });

  it.each([
    null,
    'x',
    7,
    [],
    {},
    { version: 2 },
    payload({ frames: ['%%%'] }),
    payload({ frames: [base64(Uint8Array.of(1, 2))] })
  ])('is refused if malformed: %j', value => {
    expect(readProfile(value)).toBeNull();
  });

  it('is refused if reading it would stop the page', () => {
    const [small, large] = [frame(), frame('x'.repeat(300_000))];
    expect(readProfile(payload({ frames: [small, large] }))?.frames).toHaveLength(2);
    expect(readProfile(payload({ frames: Array.from({ length: 400 }, () => large) }))).toBeNull();
  });

  it('is cut, and knows only the plots of local schedulers', () => {
    const profile = readProfile(
      payload({ plots: ['task-stream', 'local-tasks', 7], keys: ['k'.repeat(10_000), 3], tasks: 'no list' })
    );
    expect(profile?.plots.map(plot => plot.id)).toEqual(['local-tasks']);
    expect(profile?.keys[0]).toHaveLength(400);
    expect(profile?.keys[1]).toBe('');
    expect(profile?.tasks).toEqual([]);
  });
});

describe('the renderer of profiles', () => {
  it('says what it cannot read, without trust', async () => {
    const make = async (): Promise<RenderedProfile> => new RenderedProfile({ trans: translate, themeChanged: null });
    const renderer = outputFactory(PROFILE_MIME_TYPE, make, translate).createRenderer({
      mimeType: PROFILE_MIME_TYPE,
      sanitizer: { sanitize: text => text },
      resolver: null,
      linkHandler: null,
      latexTypesetter: null
    });
    await renderer.renderModel(new MimeModel({ trusted: false, data: { [PROFILE_MIME_TYPE]: { version: 9 } } }));
    expect(renderer.node.textContent).toContain('no profile that this version can read');
    renderer.dispose();
  });

  it('closes what was opened at it', () => {
    const view = new ProfileView(null, { trans: translate, themeChanged: null });
    const anchor = view.node.appendChild(document.createElement('button'));
    openPopover(anchor, 'How to read this plot', []);
    expect(document.querySelector('.dp-Popover')).not.toBeNull();
    view.dispose();
    expect(document.querySelector('.dp-Popover')).toBeNull();
  });
});
