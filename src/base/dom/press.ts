import type { IDisposable } from '@lumino/disposable';

/**
 * Knows when the content of an element must not change because it is pressed. A browser drops a click if the element that was
 * pressed is replaced before the pointer, or the space bar, is released; what moves under the pointer gets a click that was not
 * meant for it.
 */
export class Press implements IDisposable {
  constructor(private readonly node: HTMLElement) {
    node.addEventListener('pointerdown', this);
    node.addEventListener('keydown', this);
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  /**
   * Whether the content has to stay as it is.
   *
   * @param again - called after the release if it has; of several, only the last
   */
  holds(again: () => void): boolean {
    if (this.pressed) {
      this.waiting = again;
    }
    return this.pressed;
  }

  /** Called for the events of the element and, while it is pressed, of the window. */
  handleEvent(event: Event): void {
    if (pressesButton(event)) {
      this.pressed = true;
      for (const type of RELEASES) {
        window.addEventListener(type, this, true);
      }
    } else if (event.type !== 'keydown') {
      this.listenNoMore();
      // The click comes after the release, in the same task.
      this.due ??= setTimeout(() => this.settle());
    }
  }

  dispose(): void {
    this.disposed = true;
    this.waiting = null;
    clearTimeout(this.due);
    this.listenNoMore();
    this.node.removeEventListener('pointerdown', this);
    this.node.removeEventListener('keydown', this);
  }

  private listenNoMore(): void {
    for (const type of RELEASES) {
      window.removeEventListener(type, this, true);
    }
  }

  private settle(): void {
    this.due = undefined;
    this.pressed = false;
    const { waiting } = this;
    this.waiting = null;
    waiting?.();
  }

  private disposed = false;
  private pressed = false;
  private waiting: (() => void) | null = null;
  private due: ReturnType<typeof setTimeout> | undefined;
}

function pressesButton(event: Event): boolean {
  return event.type === 'pointerdown'
    ? (event as PointerEvent).button === 0
    : event.type === 'keydown' && (event as KeyboardEvent).key === ' ';
}

/** What ends a press; a drag of the browser's own cancels the pointer. */
const RELEASES = ['pointerup', 'pointercancel', 'keyup', 'blur'] as const;
