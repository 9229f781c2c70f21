// @vitest-environment jsdom
import { MessageLoop } from '@lumino/messaging';
import { DockPanel, Widget } from '@lumino/widgets';
import { describe, expect, it } from 'vitest';
import { placeBeside, placeThatFits } from '../../../src/panes/docking/split-room';

describe('the place of a new pane', () => {
  it.each([
    ['split-right', 1200, 700, 'split-right'],
    ['split-left', 512, 700, 'split-left'],
    // Two panes of 200 px beside each other show no names.
    ['split-right', 400, 700, 'split-bottom'],
    ['split-right', 400, 300, 'tab-after'],
    ['split-bottom', 600, 367, 'split-bottom'],
    // Of four panes below each other at 1280 × 800, the last two had 92 px each.
    ['split-bottom', 600, 184, 'tab-after'],
    ['split-top', 1200, 184, 'tab-after'],
    ['tab-after', 100, 100, 'tab-after'],
    [undefined, 100, 100, undefined]
  ] as const)('%s in %d × %d is %s', (mode, width, height, place) => {
    expect(placeThatFits(mode, { width, height })).toBe(place);
  });

  it('is the wanted one where the area has not been laid out', () => {
    expect(placeThatFits('split-bottom', { width: 0, height: 0 })).toBe('split-bottom');
  });
});

it('looks at the room once what has just been opened has its size', () => {
  const panel = new DockPanel();
  const [ref, opened] = [new Widget(), new Widget()];
  panel.addWidget(ref);
  panel.addWidget(opened, { mode: 'tab-after', ref });
  panel.selectWidget(opened);
  let isLaidOut = false;
  Object.defineProperty(opened.node, 'offsetWidth', { get: () => (isLaidOut ? 427 : 200) });
  Object.defineProperty(opened.node, 'offsetHeight', { get: () => (isLaidOut ? 463 : 20) });
  opened.processMessage = ({ type }) => {
    isLaidOut ||= type === 'update-request';
  };
  MessageLoop.postMessage(opened, Widget.Msg.UpdateRequest);
  expect(placeBeside('split-right', ref)).toBe('split-bottom');
});
