import { describe, expect, it, vi } from 'vitest';
import { Lazy } from '../../../src/base/lazy';

describe('a part that is loaded when it is needed', () => {
  it('is loaded once for all who need it', async () => {
    const load = vi.fn(() => Promise.resolve({}));
    const part = new Lazy(load);
    expect(part.ready).toBeNull();
    expect(load).not.toHaveBeenCalled();
    const [one, other] = await Promise.all([part.get(), part.get()]);
    expect(one).toBe(other);
    expect(part.ready).toBe(one);
    expect(await part.get()).toBe(one);
    expect(load).toHaveBeenCalledOnce();
  });

  it('is tried again after a failure, which all who waited get', async () => {
    const gone = new Error('the server is gone');
    const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(gone).mockResolvedValueOnce('here');
    const part = new Lazy(load);
    const waiting = [part.get(), part.get()];
    for (const attempt of waiting) {
      await expect(attempt).rejects.toBe(gone);
    }
    expect(part.ready).toBeNull();
    expect(await part.get()).toBe('here');
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('is loaded ahead without a failure of its own', async () => {
    vi.useFakeTimers();
    const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('gone')).mockResolvedValue('here');
    const part = new Lazy(load);
    part.prefetch();
    await vi.runAllTimersAsync();
    expect(load).toHaveBeenCalledOnce();
    part.prefetch();
    await vi.runAllTimersAsync();
    expect(part.ready).toBe('here');
    part.prefetch();
    await vi.runAllTimersAsync();
    expect(load).toHaveBeenCalledTimes(2);
    vi.useRealTimers();
  });
});
