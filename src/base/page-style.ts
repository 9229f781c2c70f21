import { type ISignal, Signal } from '@lumino/signaling';
import { FORCED_COLOURS, MORE_CONTRAST, readTheme, writeTheme } from './theme';

/** Notifies of a new theme: JupyterLab's theme manager. */
interface Themes {
  readonly themeChanged: ISignal<unknown, unknown>;
}

const changed = new Signal<object, void>({});
let observer: MutationObserver | null = null;
let watched: Themes | null = null;

/**
 * Notifies when the theme, a font size or the system's colour preferences change, so that all readers reload them.
 *
 * JupyterLab writes font sizes chosen by the user into the root element's style without a signal.
 *
 * @param themes - `null` in front ends without themes
 */
export function pageStyle(themes: Themes | null): ISignal<object, void> {
  if (themes !== null && themes !== watched) {
    watched = themes;
    themes.themeChanged.connect(notify);
  }
  if (observer === null && typeof MutationObserver !== 'undefined') {
    let sizes = fontSizes();
    observer = new MutationObserver(() => {
      const now = fontSizes();
      if (now !== sizes) {
        sizes = now;
        notify();
      }
    });
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
    writePage();
    onSystemColours(notify);
  }
  return changed;
}

/** Write the colours needed by our style sheets; see {@link writeTheme}. */
export function writePage(): void {
  writeTheme(document.documentElement, readTheme(document.body));
}

/** Call back when the system's colour preferences change. */
export function onSystemColours(act: () => void): void {
  if (typeof window.matchMedia === 'function') {
    for (const query of [FORCED_COLOURS, MORE_CONTRAST]) {
      window.matchMedia(query).addEventListener('change', act);
    }
  }
}

function notify(): void {
  writePage();
  changed.emit();
}

function fontSizes(): string {
  const style = getComputedStyle(document.documentElement);
  return ['--jp-ui-font-size1', '--jp-content-font-size1'].map(name => style.getPropertyValue(name)).join();
}
