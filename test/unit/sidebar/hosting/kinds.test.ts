// @vitest-environment jsdom
import type { Kernel } from '@jupyterlab/services';
import { expect, it, vi } from 'vitest';
import { readConfiguration } from '../../../../src/sidebar/hosting/kinds';
import { startTroubleWords } from '../../../../src/sidebar/hosting/words';
import { FakeKernel } from '../../clients/fakes';
import { translate as trans } from '../../translate';

it('a kernel that was to report its configuration is released, even if it cannot be ended', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const kernel = Object.assign(new FakeKernel('k', { language: 'julia', implementation: 'IJulia' }), {
    shutdown: () => Promise.reject(new Error('Failed to fetch'))
  });
  const kernels = { startNew: () => Promise.resolve(kernel) } as unknown as Kernel.IManager;
  const refused = await readConfiguration(kernels, 'julia').catch((error: unknown) => startTroubleWords(error, trans));
  expect(refused).toBe('python3 is not a Python kernel that can host a cluster.');
  expect(kernel.isDisposed).toBe(true);
  expect(warn).toHaveBeenCalledOnce();
});
