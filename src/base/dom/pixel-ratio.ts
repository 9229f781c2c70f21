/**
 * Call back when the ratio of device pixels changes, as in a window that is moved to another monitor: the size in pixels of
 * CSS may stay, and no observer of sizes reports it.
 */
export function onPixelRatio(act: () => void, signal: AbortSignal): void {
  const media = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
  const onChange = (): void => {
    act();
    // Of the ratio that it is now.
    onPixelRatio(act, signal);
  };
  media.addEventListener('change', onChange, { once: true, signal });
}
