import { type ISignal, Signal } from '@lumino/signaling';

/** What tells of a new theme: JupyterLab's theme manager. */
interface Themes {
  readonly themeChanged: ISignal<unknown, unknown>;
}

const changed = new Signal<object, void>({});
let observer: MutationObserver | null = null;
let watched: Themes | null = null;

/**
 * The theme, or the size of the interface's font, is another one now: what has read either reads it again.
 *
 * JupyterLab writes sizes that a person chose into the style of the page's root element and tells nobody.
 *
 * @param themes - `null` in front ends without themes
 */
export function pageStyle(themes: Themes | null): ISignal<object, void> {
  if (themes !== null && themes !== watched) {
    watched = themes;
    themes.themeChanged.connect(() => changed.emit());
  }
  if (observer === null && typeof MutationObserver !== 'undefined') {
    let size = fontSize();
    observer = new MutationObserver(() => {
      const now = fontSize();
      if (now !== size) {
        size = now;
        changed.emit();
      }
    });
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  }
  return changed;
}

function fontSize(): string {
  return getComputedStyle(document.documentElement).getPropertyValue('--jp-ui-font-size1');
}
