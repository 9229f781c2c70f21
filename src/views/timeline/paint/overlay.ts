import { element, setHidden, setText } from '../../../base/element';
import type { DevicePixels } from '../../../base/units';
import { moveX } from '../time/moving';

/** A rectangle in device pixels. */
export interface Box {
  readonly x: DevicePixels;
  readonly y: DevicePixels;
  readonly width: DevicePixels;
  readonly height: DevicePixels;
}

/** Content above the blocks. Columns are NaN if there is nothing to draw. */
export interface OverlayScene {
  readonly now: number;
  /** Whether the feed answers: the line of now is grey while it does not. */
  readonly answering: boolean;
  /** Column of the pointer. */
  readonly pointer: number;
  /** Column up to which there are only summaries of tasks, and what is written there. */
  readonly gone: number;
  readonly goneText: string;
  readonly hovered: Box | null;
  readonly focused: Box | null;
  readonly ratio: number;
}

/** Lines and outlines above the blocks, as elements: they change without repainting the picture. */
export class Overlay {
  constructor() {
    this.node.append(this.gone, this.pointer, this.now, this.hovered, this.focused);
  }

  readonly node = element('div', { class: 'dp-Timeline-overlay' });

  update(scene: OverlayScene): void {
    if (this.now.hasAttribute('data-silent') === scene.answering) {
      this.now.toggleAttribute('data-silent', !scene.answering);
    }
    this.showGone(scene);
    line(this.now, scene.now, scene.ratio);
    line(this.pointer, scene.pointer, scene.ratio);
    outline(this.hovered, scene.hovered, scene.ratio);
    outline(this.focused, scene.focused, scene.ratio);
  }

  private showGone({ gone: column, goneText, ratio }: OverlayScene): void {
    const hidden = !(column > 0);
    if (this.gone.hidden !== hidden) {
      setHidden(this.gone, hidden);
    }
    if (!hidden) {
      setStyle(this.gone, 'width', `${Math.ceil(column) / ratio}px`);
      setText(this.goneText, goneText);
    }
  }

  private readonly goneText = element('span');
  private readonly gone = element('div', { class: 'dp-Timeline-gone' }, this.goneText);
  private readonly now = element('div', { class: 'dp-Timeline-now' });
  private readonly pointer = element('div', { class: 'dp-Timeline-pointer' });
  private readonly hovered = element('div', { class: 'dp-Timeline-hovered' });
  private readonly focused = element('div', { class: 'dp-Timeline-focused' });
}

function line(node: HTMLElement, column: number, ratio: number): void {
  const hidden = Number.isNaN(column);
  if (node.hidden !== hidden) {
    setHidden(node, hidden);
  }
  if (!hidden) {
    // While following, now stays within one column: use its whole-number position.
    moveX(node, Math.ceil(column - 1e-6) / ratio);
  }
}

function outline(node: HTMLElement, box: Box | null, ratio: number): void {
  if (node.hidden !== (box === null)) {
    setHidden(node, box === null);
  }
  if (box !== null) {
    setStyle(node, 'transform', `translate(${box.x / ratio}px, ${box.y / ratio}px)`);
    setStyle(node, 'width', `${box.width / ratio}px`);
    setStyle(node, 'height', `${box.height / ratio}px`);
  }
}

function setStyle(node: HTMLElement, name: 'transform' | 'width' | 'height', value: string): void {
  if (node.style[name] !== value) {
    node.style[name] = value;
  }
}
