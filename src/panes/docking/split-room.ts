/** Whether an area of a dock is large enough to be divided. */
import { MessageLoop } from '@lumino/messaging';
import { DockPanel, type Widget } from '@lumino/widgets';
import type { CssPixels } from '../../base/units';
import type { OpenArgs } from '../tokens';

/** Size of an area with its tabs; of zero where it has not been laid out. */
export interface AreaSize {
  readonly width: CssPixels;
  readonly height: CssPixels;
}

/** Below that, a half of an area shows little more than the title of its pane. */
const LEAST: AreaSize = { width: 256, height: 160 };

/** The wanted place of a new pane, or one that leaves both it and its neighbour their room: below, or behind it as a tab. */
export function placeThatFits(mode: OpenArgs['mode'], { width, height }: AreaSize): OpenArgs['mode'] {
  if (mode === undefined || mode === 'tab-after' || width === 0 || height === 0) {
    return mode;
  }
  const low = height / 2 < LEAST.height;
  const narrow = width / 2 < LEAST.width;
  const beside = mode === 'split-left' || mode === 'split-right';
  if (!(beside ? narrow : low)) {
    return mode;
  }
  return beside && !low ? 'split-bottom' : 'tab-after';
}

/** {@link placeThatFits} beside a widget, whose area is that of the one in front of it. */
export function placeBeside(mode: OpenArgs['mode'], ref: Widget | null): OpenArgs['mode'] {
  const bars = ref?.parent instanceof DockPanel ? [...ref.parent.tabBars()] : [];
  const bar = bars.find(({ titles }) => titles.some(({ owner }) => owner === ref));
  // The one in front may just have been opened: its size is known once the dock has been laid out.
  MessageLoop.flush();
  const front = bar?.currentTitle?.owner.node;
  return bar === undefined || front === undefined
    ? mode
    : placeThatFits(mode, { width: front.offsetWidth, height: front.offsetHeight + bar.node.offsetHeight });
}
