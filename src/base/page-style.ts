import { type ISignal, Signal } from '@lumino/signaling';
import { FORCED_COLOURS, MORE_CONTRAST, readTheme, writeTheme } from './theme';

/** What tells of a new theme: JupyterLab's theme manager. */
interface Themes {
  readonly themeChanged: ISignal<unknown, unknown>;
}

const changed = new Signal<object, void>({});
let observer: MutationObserver | null = null;
let watched: Themes | null = null;

/**
 * The theme, the size of a font or what a person asks of the system about colours is another one now: what has read any of
 * them reads it again.
 *
 * JupyterLab writes sizes that a person chose into the style of the page's root element and tells nobody.
 *
 * @param themes - `null` in front ends without themes
 */
export function pageStyle(themes: Themes | null): ISignal<object, void> {
  if (themes !== null && themes !== watched) {
    watched = themes;
    themes.themeChanged.connect(tell);
  }
  if (observer === null && typeof MutationObserver !== 'undefined') {
    let sizes = fontSizes();
    observer = new MutationObserver(() => {
      const now = fontSizes();
      if (now !== sizes) {
        sizes = now;
        tell();
      }
    });
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
    writePage();
    onSystemColours(tell);
  }
  return changed;
}

/** Write the colours that our style sheets need; see {@link writeTheme}. */
export function writePage(): void {
  writeTheme(document.documentElement, readTheme(document.body));
}

/** Call back whenever a person asks something else of the system about colours. */
export function onSystemColours(act: () => void): void {
  if (typeof window.matchMedia === 'function') {
    for (const query of [FORCED_COLOURS, MORE_CONTRAST]) {
      window.matchMedia(query).addEventListener('change', act);
    }
  }
}

function tell(): void {
  writePage();
  changed.emit();
}

function fontSizes(): string {
  const style = getComputedStyle(document.documentElement);
  return ['--jp-ui-font-size1', '--jp-content-font-size1'].map(name => style.getPropertyValue(name)).join();
}
