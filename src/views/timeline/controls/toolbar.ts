import { element, setAttribute, setHidden } from '../../../base/element';
import type { CssPixels } from '../../../base/units';
import type { TimelineAction } from '../../timeline-actions';
import type { ViewHost } from '../../view';

/** Below this width, all but the zoom are under "More". */
const NARROW: CssPixels = 460;

/** What the buttons show. */
export interface ToolbarState {
  readonly following: boolean;
  /** Whether a computation is known. */
  readonly computation: boolean;
  /** Whether time passes: in a recording or report only while it plays. */
  readonly flowing: boolean;
}

/**
 * The visible controls of a timeline. One of them is in the order of focus, arrow keys reach the others, as in every
 * toolbar.
 */
export class Toolbar {
  /** @param lanes - has a menu of what concerns all lanes, where there are menus */
  constructor(
    { trans, menu }: Pick<ViewHost, 'trans' | 'menu'>,
    act: (action: TimelineAction) => void,
    lanes: { open(anchor: HTMLElement): void }
  ) {
    const button = (action: TimelineAction, text: string, title: string): HTMLButtonElement =>
      element('button', {
        class: 'dp-Button dp-Timeline-tool',
        text,
        title,
        attributes: { 'aria-label': text.length > 1 ? text : title, tabindex: '-1' },
        data: { action },
        onClick: () => {
          this.setOpen(false);
          act(action);
        }
      });
    this.buttons = {
      'zoom-out': button('zoom-out', '−', trans.__('Zoom out (S)')),
      'zoom-in': button('zoom-in', '+', trans.__('Zoom in (W)')),
      'whole-run': button('whole-run', trans.__('Whole run'), trans.__('Show all tasks from the first to the last (0)')),
      computation: button('computation', trans.__('Last computation'), trans.__('Show the newest computation')),
      follow: button(
        'follow',
        trans.__('Follow'),
        trans.__(
          'Move with time (L). While the cluster has nothing to do, the picture stands still; it goes on with the next task'
        )
      ),
      search: button('search', trans.__('Search'), trans.__('Search tasks (F)'))
    };
    this.more = element('button', {
      class: 'dp-Button dp-Timeline-tool',
      text: trans.__('More'),
      attributes: { 'aria-haspopup': 'true', 'aria-expanded': 'false', tabindex: '-1' },
      onClick: () => this.setOpen(this.more.getAttribute('aria-expanded') !== 'true')
    });
    this.node.setAttribute('aria-label', trans.__('Visible time'));
    const { 'zoom-out': out, 'zoom-in': into, ...others } = this.buttons;
    this.rest.append(...Object.values(others));
    if (menu !== undefined) {
      this.rest.append(
        element('button', {
          class: 'dp-Button dp-Timeline-tool',
          text: trans.__('Rows'),
          title: trans.__('Draw workers or hosts as one row each. A click on a name does it for one, P pins a worker to the top'),
          attributes: { 'aria-haspopup': 'menu', tabindex: '-1' },
          onClick: event => lanes.open(event.currentTarget as HTMLElement)
        })
      );
    }
    this.node.append(out, into, this.more, this.rest);
    out.tabIndex = 0;
    this.node.addEventListener('keydown', event => this.onKey(event));
    this.node.addEventListener('focusout', event => {
      if (!(event.relatedTarget instanceof Node && this.node.contains(event.relatedTarget))) {
        this.setOpen(false);
      }
    });
    this.arrange(Number.POSITIVE_INFINITY);
  }

  readonly node = element('div', { class: 'dp-Timeline-tools', role: 'toolbar' });

  /** @param width - of the view, at the default font size */
  arrange(width: CssPixels): void {
    this.narrow = width < NARROW;
    this.node.dataset.narrow = String(this.narrow);
    setHidden(this.more, !this.narrow);
    this.setOpen(false);
  }

  update({ following, computation, flowing }: ToolbarState): void {
    const { follow, computation: last } = this.buttons;
    setHidden(follow, !flowing);
    setAttribute(follow, 'aria-pressed', String(following));
    if (last.disabled === computation) {
      last.disabled = !computation;
    }
    this.settle();
  }

  private setOpen(open: boolean): void {
    setHidden(this.rest, this.narrow && !open);
    this.more.setAttribute('aria-expanded', String(this.narrow && open));
    this.settle();
  }

  private get usable(): HTMLButtonElement[] {
    return [...this.node.querySelectorAll('button')].filter(
      button => !button.hidden && !button.disabled && !(this.rest.hidden && this.rest.contains(button))
    );
  }

  /** Another button takes over the place in the order of focus, and the focus, of one that cannot be used any more. */
  private settle(): void {
    const [{ usable }, { activeElement }] = [this, document];
    const lost = this.node.contains(activeElement) && !usable.some(button => button === activeElement);
    if (lost || !usable.some(({ tabIndex }) => tabIndex === 0)) {
      const next = this.more.hidden ? usable[0] : this.more;
      this.order(next);
      if (lost) {
        next.focus({ preventScroll: true });
      }
    }
  }

  private order(stop: HTMLButtonElement): void {
    for (const button of this.node.querySelectorAll('button')) {
      button.tabIndex = button === stop ? 0 : -1;
    }
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape' && this.narrow && !this.rest.hidden) {
      event.stopPropagation();
      this.setOpen(false);
      this.more.focus();
      return;
    }
    const list = this.usable;
    const at = list.indexOf(document.activeElement as HTMLButtonElement);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: list.length - 1 }[event.key];
    const target = next === undefined ? undefined : list[(next + list.length) % list.length];
    if (at >= 0 && target !== undefined) {
      event.preventDefault();
      this.order(target);
      target.focus();
    }
  }

  private readonly buttons: Readonly<Record<TimelineAction, HTMLButtonElement>>;
  private readonly more: HTMLButtonElement;
  private readonly rest = element('div', { class: 'dp-Timeline-rest' });
  private narrow = false;
}
