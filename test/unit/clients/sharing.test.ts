import { describe, expect, it } from 'vitest';
import { sharedKernels } from '../../../src/clients/kernels/sharing';
import type { KernelEntry } from '../../../src/clients/model';

const entry = (kernelId: string, path: string): KernelEntry => ({ kernelId, path, name: path }) as unknown as KernelEntry;

describe('kernels that notebooks share', () => {
  it('are listed once, with all names, in the order in which they appeared', () => {
    const listed = sharedKernels([entry('k', 'a'), entry('l', 'b'), entry('k', 'c')], 'c');
    expect(listed.map(({ kernel, names, paths }) => [kernel.path, names, paths])).toEqual([
      ['c', 'c, a', ['c', 'a']],
      ['b', 'b', ['b']]
    ]);
  });

  it('are represented by the first one if none is preferred', () => {
    expect(sharedKernels([entry('k', 'a'), entry('k', 'c')], '').map(({ names }) => names)).toEqual(['a, c']);
  });
});
