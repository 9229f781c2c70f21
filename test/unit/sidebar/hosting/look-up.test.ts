// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import type { ClusterKinds } from '../../../../src/feed/kernel/kernel-channel';
import { askForCluster } from '../../../../src/sidebar/hosting/new-cluster-dialog';
import { NO_KINDS } from '../../../../src/sidebar/hosting/kinds';
import { translate as trans } from '../../translate';

Object.assign(globalThis, { requestIdleCallback: (then: () => void) => setTimeout(then) });

it('what a kernel was found to have is not said of another one, and the button keeps the focus', async () => {
  let answer: (kinds: ClusterKinds) => void = () => undefined;
  const lookUp = vi.fn(() => new Promise<ClusterKinds>(resolve => (answer = resolve)));
  const values = { name: 'a', preset: '', workers: '', threads: '', memory: '', dashboard: '' };
  const specs = [
    { name: 'p', label: 'P' },
    { name: 'q', label: 'Q' }
  ];
  const done = askForCluster({
    initial: { spec: 'p', values },
    specs,
    kinds: Promise.resolve(NO_KINDS),
    lookUp,
    taken: () => [],
    refusal: '',
    trans
  });
  const form = await vi.waitFor(() => document.querySelector<HTMLElement>('.dp-Form') ?? expect.unreachable());
  const look = form.querySelector<HTMLButtonElement>('.dp-Field-more button') as HTMLButtonElement;
  const found = form.querySelector('.dp-Field-found') as HTMLElement;
  const select = form.querySelector('select') as HTMLSelectElement;
  const choose = (spec: string): void => {
    select.value = spec;
    select.dispatchEvent(new Event('change'));
  };
  look.click();
  expect(look.disabled).toBe(false);
  look.click();
  expect(lookUp).toHaveBeenCalledTimes(1);
  answer({ ...NO_KINDS, presets: [{ name: 'gpu', kind: 'LocalCluster' }] });
  await vi.waitFor(() => expect(found.textContent).toBe('Found: gpu'));
  choose('q');
  expect(found.textContent).toBe('');
  look.click();
  choose('p');
  answer({ ...NO_KINDS, presets: [{ name: 'batch', kind: 'SLURMCluster' }] });
  await Promise.resolve();
  await Promise.resolve();
  expect(found.textContent).toBe('');
  document.querySelector<HTMLElement>('.jp-mod-reject')?.click();
  await done;
});
