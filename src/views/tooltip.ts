import { placeTooltip, startInView, type TooltipPlace } from '../base/dom/tooltip-place';
import { element } from '../base/element';
import type { CssPixels, Milliseconds } from '../base/units';
import type { TooltipContent } from '../plot/plot';
import { cutMiddle } from '../plot/text';
import type { ViewAction, ViewHost } from './view';

/** Delay of the first tooltip; further ones appear at once. */
const DELAY: Milliseconds = 80;
/** Longer keys are cut in the middle: an untrusted one must not fill the screen. */
const KEY_LIMIT = 400;
/** Time after hiding one during which the next appears at once. */
const RECENT: Milliseconds = 400;

/** What a pinned tooltip offers: plots with more detail, and actions. */
export type TooltipOffers = Pick<ViewHost, 'open' | 'actions'> & {
  /** What the view itself offers for the item, before the actions on its subject. */
  readonly own?: readonly ViewAction[];
};

/**
 * The only tooltip of the page; it belongs to the view that showed it last. It follows the pointer until a click pins
 * it. A pinned tooltip stays and its text can be selected, until Escape, a press elsewhere, or the view closes it. Tab leads to
 * its buttons, and from the last of them back.
 */
export class Tooltip {
  /** Show content for a view. Does nothing while another content is pinned. */
  show(owner: object, content: TooltipContent, place: TooltipPlace): void {
    if (this.pinned) {
      return;
    }
    const wait = this.owner !== null || performance.now() - this.hiddenAt < RECENT ? 0 : DELAY;
    this.owner = owner;
    this.place = place;
    this.wanted = content;
    clearTimeout(this.timer);
    if (wait === 0 || this.node.isConnected) {
      this.reveal();
    } else {
      this.timer = setTimeout(() => this.reveal(), wait);
    }
  }

  /** Replace the content in place, even if pinned: for answers that arrive later. */
  replace(owner: object, content: TooltipContent): void {
    if (this.owner === owner) {
      this.wanted = content;
      if (this.node.isConnected) {
        this.reveal();
      }
    }
  }

  /** Hide a view's tooltip, unless it is pinned. */
  hide(owner: object): void {
    if (this.owner === owner && !this.pinned) {
      this.close();
    }
  }

  /** Hide a view's tooltip even if pinned: the view is being removed. */
  release(owner: object): void {
    if (this.owner === owner) {
      this.close();
    }
  }

  /** Pin the tooltip, or unpin it; `offers` are for the content's plots and subject. */
  togglePin(owner: object, offers: TooltipOffers | null = null): void {
    if (this.owner !== owner) {
      return;
    }
    if (this.pinned) {
      this.close();
      return;
    }
    // It may not be in the document yet.
    this.reveal();
    this.pinned = true;
    this.offers = offers;
    this.describe(document.activeElement);
    // Redraw without the hint about a click.
    this.drawn = null;
    this.reveal();
    // With its buttons it is higher. From here on it does not move any more.
    this.move();
    document.addEventListener('pointerdown', this.onPress, true);
    document.addEventListener('keydown', this.onKey, true);
  }

  /** Whether the view's tooltip is pinned. */
  isPinned(owner: object): boolean {
    return this.pinned && this.owner === owner;
  }

  private reveal(): void {
    clearTimeout(this.timer);
    if (this.wanted === null) {
      return;
    }
    if (this.drawn !== this.wanted) {
      const focused = this.focused;
      this.node.replaceChildren(...draw(this.wanted, this.pinned));
      this.drawn = this.wanted;
      this.offer();
      // A key that has arrived later adds a button at most.
      this.buttons[focused]?.focus({ preventScroll: true });
    }
    this.node.dataset.pinned = String(this.pinned);
    if (!this.node.isConnected) {
      document.body.appendChild(this.node);
    }
    if (this.pinned) {
      this.keepInView();
    } else {
      this.move();
    }
  }

  /** The pointer can enter a pinned tooltip, which may have buttons. */
  private offer(): void {
    const { offers } = this;
    if (!this.pinned || offers === null) {
      return;
    }
    const button = (label: string, go: () => void, refusal = ''): HTMLElement =>
      element('button', {
        class: 'dp-Tooltip-link',
        text: label,
        title: refusal,
        attributes: { 'aria-disabled': String(refusal !== '') },
        onClick: () => {
          if (refusal === '') {
            this.close();
            go();
          }
        }
      });
    const { links = [], subject } = this.wanted ?? {};
    const actions = [...(offers.own ?? []), ...(subject === undefined ? [] : (offers.actions?.of(subject) ?? []))];
    const buttons = [
      ...links.map(({ label, plot, args }) => button(label, () => offers.open(plot, args))),
      ...actions.map(({ label, refusal, run }) => button(label, run, refusal))
    ];
    if (buttons.length > 0) {
      this.node.append(element('div', { class: 'dp-Tooltip-links' }, ...buttons));
    }
  }

  private move(): void {
    const { left, top } = placeTooltip(this.place, this.node.getBoundingClientRect(), windowSize());
    this.node.style.left = `${left}px`;
    this.node.style.top = `${top}px`;
  }

  /** What arrives later may make it higher and wider: all of it stays within the window. */
  private keepInView(): void {
    const { left, top, width, height } = this.node.getBoundingClientRect();
    this.node.style.left = `${startInView(left, width, window.innerWidth)}px`;
    this.node.style.top = `${startInView(top, height, window.innerHeight)}px`;
  }

  /** A pinned tooltip describes what has the focus, for assistive technology; what is pointed at is announced by its view. */
  private describe(focused: Element | null): void {
    this.described?.removeAttribute('aria-describedby');
    this.described = focused === document.body ? null : focused;
    this.described?.setAttribute('aria-describedby', this.node.id);
  }

  private get buttons(): readonly HTMLElement[] {
    return [...this.node.querySelectorAll('button')];
  }

  /** Index of the button with the focus; -1 if none has it. */
  private get focused(): number {
    return this.buttons.indexOf(document.activeElement as HTMLElement);
  }

  private close(): void {
    clearTimeout(this.timer);
    if (this.focused >= 0) {
      this.origin?.focus({ preventScroll: true });
    }
    this.origin = null;
    this.visited = false;
    document.removeEventListener('pointerdown', this.onPress, true);
    document.removeEventListener('keydown', this.onKey, true);
    this.describe(null);
    this.node.remove();
    this.hiddenAt = performance.now();
    this.owner = null;
    this.wanted = null;
    this.pinned = false;
    this.offers = null;
    // The next content is redrawn without this one's button.
    this.drawn = null;
  }

  private readonly onPress = (event: PointerEvent): void => {
    if (!(event.target instanceof Node && this.node.contains(event.target))) {
      this.close();
    }
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      this.close();
    } else if (event.key === 'Tab') {
      this.onTab(event);
    }
  };

  /** The tooltip's element is at the end of the page: Tab visits its buttons next, and then continues where it was. */
  private onTab(event: KeyboardEvent): void {
    const { buttons, focused } = this;
    const { activeElement } = document;
    if (focused < 0 && !event.shiftKey && buttons.length > 0 && !this.visited) {
      this.origin = activeElement instanceof HTMLElement ? activeElement : null;
      buttons[0].focus({ preventScroll: true });
      event.preventDefault();
    } else if (focused >= 0) {
      const next = focused + (event.shiftKey ? -1 : 1);
      // From there, Tab continues in the page.
      this.visited = next === buttons.length;
      (buttons[next] ?? this.origin)?.focus({ preventScroll: true });
      event.preventDefault();
    }
  }

  private owner: object | null = null;
  private wanted: TooltipContent | null = null;
  private drawn: TooltipContent | null = null;
  private place: TooltipPlace = { x: 0, y: 0 };
  private pinned = false;
  /** What had the focus before the buttons. */
  private origin: HTMLElement | null = null;
  /** Whether the focus has gone through all buttons. */
  private visited = false;
  private offers: TooltipOffers | null = null;
  private hiddenAt: Milliseconds = Number.NEGATIVE_INFINITY;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private described: Element | null = null;
  private readonly node = element('div', { class: 'dp-Tooltip', role: 'tooltip', attributes: { id: 'dp-tooltip' } });
}

function windowSize(): { readonly width: CssPixels; readonly height: CssPixels } {
  return { width: window.innerWidth, height: window.innerHeight };
}

/** The tooltip shared by all views. */
export const tooltip = new Tooltip();

/** A tooltip as one line, for a live region. */
export function tooltipText(content: TooltipContent): string {
  return [content.title, content.state ?? '', content.key ?? '', ...content.rows.map(([name, value]) => `${name} ${value}`)]
    .filter(part => part !== '')
    .join(', ');
}

/** The hint describes the effect of a click, which pins: a pinned tooltip has none. */
function draw(content: TooltipContent, pinned: boolean): HTMLElement[] {
  const head = element('div', { class: 'dp-Tooltip-head' });
  if (content.colour !== undefined) {
    const swatch = element('span', {
      class: 'dp-Swatch',
      attributes: { 'aria-hidden': 'true' },
      data: { pattern: content.pattern ?? 'none' }
    });
    swatch.style.setProperty('--dp-swatch', content.colour);
    head.append(swatch);
  }
  head.append(element('bdi', { class: 'dp-Tooltip-title', text: content.title }));
  if (content.state) {
    head.append(element('span', { class: 'dp-Tooltip-state', text: content.state }));
  }
  const rows = content.rows.flatMap(([name, value]) => [
    element('dt', { text: name }),
    element('dd', {}, element('bdi', { text: cutMiddle(value, KEY_LIMIT) }))
  ]);
  return [
    head,
    ...(content.key ? [element('div', { class: 'dp-Tooltip-key', text: cutMiddle(content.key, KEY_LIMIT) })] : []),
    element('dl', { class: 'dp-Tooltip-rows' }, ...rows),
    ...(content.hint && !pinned ? [element('div', { class: 'dp-Tooltip-hint', text: content.hint })] : [])
  ];
}
