import { byShortcuts } from '../../base/dom/keys';
import { KEY_EVENT, type KeyAction, type PictureKind } from './key-actions';

/** What actions of keys do. */
export type Keys<C> = Readonly<Partial<Record<KeyAction, (controls: C) => void>>>;

/**
 * Keys by physical position, so that W, A, S and D have the same arrangement on every layout. Where shortcuts of the page do the same,
 * these are letters, which the user may have changed. A key does the same with Shift, unless the two together have an action.
 */
export const CODES: Readonly<Record<KeyAction, readonly string[]>> = {
  'zoom-in': ['KeyW'],
  'zoom-out': ['KeyS'],
  'pan-left': ['KeyA'],
  'pan-right': ['KeyD'],
  'show-all': ['Digit0', 'Numpad0'],
  'go-left': ['ArrowLeft'],
  'go-right': ['ArrowRight'],
  'go-up': ['ArrowUp'],
  'go-down': ['ArrowDown'],
  activate: ['Enter'],
  leave: ['Escape'],
  'select-left': ['Shift+ArrowLeft'],
  'select-right': ['Shift+ArrowRight'],
  'select-up': ['Shift+ArrowUp'],
  'select-down': ['Shift+ArrowDown'],
  follow: ['KeyL'],
  search: ['KeyF'],
  find: ['KeyF'],
  'collapse-worker': ['KeyC'],
  'collapse-host': ['KeyH'],
  pin: ['KeyP']
};

/** Keys that are also found by what they write: on some keyboards it takes Shift, or is elsewhere. */
const CHARACTERS: Readonly<Record<string, KeyAction>> = { '/': 'find' };

/**
 * Do what a pressed key does in a picture, or what a command asks for. Keys with Ctrl, Alt or Meta stay the browser's.
 *
 * Guarantees: no key is handled twice; where the page's shortcuts do it, only they do.
 */
export function onKeys<C>(node: HTMLElement, kind: PictureKind, keys: Keys<C>, controls: C, signal: AbortSignal): void {
  node.dataset.keys = kind;
  const act = (action: string | undefined): boolean => {
    const found = action === undefined || !Object.hasOwn(keys, action) ? undefined : keys[action as KeyAction];
    found?.(controls);
    return found !== undefined;
  };
  node.addEventListener(
    'keydown',
    event => {
      if (byShortcuts(node) || event.ctrlKey || event.metaKey || event.altKey) {
        return;
      }
      const own = Object.keys(keys) as KeyAction[];
      const actionOf = (code: string): KeyAction | undefined => own.find(action => CODES[action].includes(code));
      const shifted = event.shiftKey ? actionOf(`Shift+${event.code}`) : undefined;
      if (act(CHARACTERS[event.key]) || act(shifted ?? actionOf(event.code))) {
        event.preventDefault();
      }
    },
    { signal }
  );
  node.addEventListener(KEY_EVENT, event => event instanceof CustomEvent && act(String(event.detail)), { signal });
}
