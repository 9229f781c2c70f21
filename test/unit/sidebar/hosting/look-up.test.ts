// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import type { ClusterKinds } from '../../../../src/feed/kernel/kernel-channel';
import { askForCluster } from '../../../../src/sidebar/hosting/new-cluster-dialog';
import { NO_KINDS } from '../../../../src/sidebar/hosting/kinds';
import { translate as trans } from '../../translate';

Object.assign(globalThis, { requestIdleCallback: (then: () => void) => setTimeout(then) });

it('what a kernel was found to have is not said of another one, and the button keeps the focus', async () => {
  let answer: (kinds: ClusterKinds) => void = () => undefined;
  const lookUp = vi.fn((_spec: string) => new Promise<ClusterKinds>(resolve => (answer = resolve)));
  const values = { name: 'a', preset: '', workers: '', threads: '', memory: '', dashboard: '' };
  const specs = [
    { name: 'p', label: 'P' },
    { name: 'q', label: 'Q' }
  ];
  const done = askForCluster({
    initial: { spec: 'p', values },
    specs,
    kinds: Promise.resolve({ ...NO_KINDS, factory: 'SSHCluster' }),
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
  answer({ ...NO_KINDS, factory: 'KubeCluster', presets: [{ name: 'gpu', kind: 'LocalCluster' }] });
  await vi.waitFor(() => expect(found.textContent).toBe('Found: gpu'));
  const kind = form.querySelector<HTMLInputElement>('[data-field="preset"] input');
  expect(kind?.placeholder).toBe('KubeCluster');
  choose('q');
  expect(found.textContent).toBe('');
  // Nor are its kinds: what the kernels of the window report is offered again.
  await vi.waitFor(() => expect(kind?.placeholder).toBe('SSHCluster'));
  look.click();
  const ofQ = answer;
  choose('p');
  // The other kernel need not be waited for.
  look.click();
  expect(lookUp.mock.calls).toEqual([['p'], ['q'], ['p']]);
  ofQ({ ...NO_KINDS, presets: [{ name: 'batch', kind: 'SLURMCluster' }] });
  await Promise.resolve();
  await Promise.resolve();
  expect(found.textContent).toContain('A kernel starts');
  expect(look.ariaDisabled).toBe('true');
  answer(NO_KINDS);
  await vi.waitFor(() => expect(found.textContent).toBe('Its configuration has no presets'));
  look.click();
  answer({ ...NO_KINDS, presets: [{ name: 'gpu', kind: 'LocalCluster' }], unlisted: 3 });
  await vi.waitFor(() => expect(found.textContent).toBe('Found: gpu · 3 more kinds can be typed'));
  document.querySelector<HTMLElement>('.jp-mod-reject')?.click();
  await done;
});
