/** What keys do in a picture that has the focus: known before the code of views is loaded, for commands and shortcuts. */

const MOVES = ['zoom-in', 'zoom-out', 'pan-left', 'pan-right', 'show-all'] as const;
const WALKS = ['go-left', 'go-right', 'go-up', 'go-down', 'activate', 'leave'] as const;
const SELECTS = ['select-left', 'select-right', 'select-up', 'select-down'] as const;

/** The actions of each kind of picture. */
export const KEY_ACTIONS = {
  timeline: [...MOVES, ...WALKS, ...SELECTS, 'follow', 'search', 'collapse-worker', 'collapse-host', 'pin'],
  graph: [...MOVES, ...WALKS],
  flame: ['show-all', ...WALKS, 'find'],
  chart: [...MOVES, 'follow']
} as const;

/** See {@link KEY_ACTIONS}. */
export type PictureKind = keyof typeof KEY_ACTIONS;

/** See {@link KEY_ACTIONS}. */
export type KeyAction = (typeof KEY_ACTIONS)[PictureKind][number];

/** What an action is called, in English; translated where it is shown. */
export function keyActionLabel(action: string): string {
  return action.replace('-', ' ');
}

/** Event by which a command reaches the element with `data-keys` of its kind; `detail` is the action. */
export const KEY_EVENT = 'dp-key';
