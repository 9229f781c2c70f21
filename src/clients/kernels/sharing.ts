import type { KernelEntry } from '../model';

/** A kernel with all notebooks and consoles that share it. */
export interface SharedKernel {
  /** The one that represents them. */
  readonly kernel: KernelEntry;
  /** Their names, that of {@link kernel} first. */
  readonly names: string;
  readonly paths: readonly string[];
}

/**
 * Each kernel once.
 *
 * @param preferred - path of the document that represents those that share its kernel
 */
export function sharedKernels(kernels: readonly KernelEntry[], preferred: string): readonly SharedKernel[] {
  const groups = new Map<string, KernelEntry[]>();
  for (const kernel of kernels) {
    const group = groups.get(kernel.kernelId) ?? [];
    groups.set(kernel.kernelId, kernel.path === preferred ? [kernel, ...group] : [...group, kernel]);
  }
  return [...groups.values()].map(group => ({
    kernel: group[0],
    names: [...new Set(group.map(({ name }) => name))].join(', '),
    paths: group.map(({ path }) => path)
  }));
}
