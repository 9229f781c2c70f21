// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { keepKeys, useShortcuts } from '../../../src/base/dom/keys';
import { KEY_ACTIONS, KEY_EVENT, type KeyAction, type PictureKind } from '../../../src/views/canvas/key-actions';
import { CODES, onKeys } from '../../../src/views/canvas/keys';
import plugin from '../../../schema/plugin.json';

/** The code of a key as shortcuts write it. */
function codeOf(key: string): string {
  if (key.startsWith('Shift ')) {
    return `Shift+${codeOf(key.slice(6))}`;
  }
  return /^\d$/.test(key) ? `Digit${key}` : key.length === 1 ? `Key${key}` : key;
}

interface Shortcut {
  readonly command: string;
  readonly keys: readonly string[];
  readonly selector: string;
  readonly args?: { readonly view?: string; readonly action?: string };
}

const SHORTCUTS = (plugin['jupyter.lab.shortcuts'] as readonly Shortcut[]).filter(({ command }) => command === 'dask-panes:key');

function stand(): { node: HTMLElement; zoom: ReturnType<typeof vi.fn>; press(code: string): KeyboardEvent } {
  const node = document.createElement('div');
  document.body.replaceChildren(node);
  const zoom = vi.fn();
  onKeys(node, 'graph', { 'zoom-in': zoom }, {}, new AbortController().signal);
  return {
    node,
    zoom,
    press: code => {
      const event = new KeyboardEvent('keydown', { code, bubbles: true, cancelable: true });
      node.dispatchEvent(event);
      return event;
    }
  };
}

afterEach(() => useShortcuts(() => false));

describe('The keys of pictures', () => {
  it('are shortcuts of the settings, each once, for the picture that has the focus', () => {
    const listed = SHORTCUTS.map(({ args, keys, selector }) => [args?.view, args?.action, selector, ...keys.map(codeOf)]);
    const wanted = (Object.keys(KEY_ACTIONS) as PictureKind[]).flatMap(view =>
      KEY_ACTIONS[view].map((action: KeyAction) => [view, action, `[data-keys='${view}']`, CODES[action][0]])
    );
    expect(listed).toEqual(wanted);
  });

  it('do what they do, and what a command asks for', () => {
    const { node, zoom, press } = stand();
    expect(press('KeyW').defaultPrevented).toBe(true);
    expect(press('KeyX').defaultPrevented).toBe(false);
    expect(zoom).toHaveBeenCalledTimes(1);
    node.dispatchEvent(new CustomEvent(KEY_EVENT, { detail: 'zoom-in' }));
    node.dispatchEvent(new CustomEvent(KEY_EVENT, { detail: 'constructor' }));
    expect(zoom).toHaveBeenCalledTimes(2);
    expect(node.dataset.keys).toBe('graph');
  });

  it('find what is searched by F, and by / wherever a keyboard has it', () => {
    const node = document.createElement('div');
    const find = vi.fn();
    onKeys(node, 'flame', { find }, {}, new AbortController().signal);
    const press = (init: KeyboardEventInit): number => {
      node.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }));
      return find.mock.calls.length;
    };
    expect(press({ code: 'KeyF', key: 'f' })).toBe(1);
    expect(press({ code: 'Slash', key: '/' })).toBe(2);
    // On a German keyboard.
    expect(press({ code: 'Digit7', key: '/', shiftKey: true })).toBe(3);
    expect(press({ code: 'Slash', key: '-' })).toBe(3);
    expect(press({ code: 'KeyF', key: 'f', ctrlKey: true })).toBe(3);
  });

  it('are left to shortcuts of the page where there are some, but in outputs, which shortcuts do not reach', () => {
    const { node, zoom, press } = stand();
    useShortcuts(() => true);
    expect(press('KeyW').defaultPrevented).toBe(false);
    expect(zoom).not.toHaveBeenCalled();
    keepKeys(node);
    press('KeyW');
    expect(zoom).toHaveBeenCalledTimes(1);
  });
});

it('keys of the whole page do not swallow the letters that keyboards have there, as Option+Shift+L on macOS', () => {
  const page = plugin['jupyter.lab.shortcuts'].filter(({ selector }) => selector === 'body');
  expect(page.length).toBeGreaterThan(0);
  expect(page.filter(shortcut => !('preventDefault' in shortcut && shortcut.preventDefault === false))).toEqual([]);
});
