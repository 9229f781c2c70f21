/** Content of a new element; texts are always text, never markup. */
export interface ElementOptions {
  readonly class?: string;
  /** Text content; may come from a cluster. */
  readonly text?: string;
  readonly title?: string;
  readonly role?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly data?: Readonly<Record<string, string>>;
  readonly onClick?: (event: MouseEvent) => void;
}

/**
 * Create an element with its children. All DOM is written with this function, since it cannot insert HTML.
 *
 * @param tag - name of the element; a `button` gets `type="button"`
 */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  options: ElementOptions = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  if (node instanceof HTMLButtonElement) {
    node.type = 'button';
  }
  if (options.class) {
    node.className = options.class;
  }
  if (options.text !== undefined) {
    node.textContent = options.text;
  }
  if (options.title) {
    node.title = options.title;
  }
  if (options.role) {
    node.setAttribute('role', options.role);
  }
  for (const [name, value] of Object.entries(options.attributes ?? {})) {
    node.setAttribute(name, value);
  }
  Object.assign(node.dataset, options.data);
  if (options.onClick) {
    node.addEventListener('click', options.onClick as EventListener);
  }
  node.append(...children);
  return node;
}

/** Set the text of an element only if it changed, which preserves the user's selection and the layout. */
export function setText(node: Element, text: string): void {
  if (node.textContent === text) {
    return;
  }
  const { firstChild } = node;
  if (firstChild instanceof Text && firstChild.nextSibling === null) {
    // Cheaper than replacing the node: the layout keeps its box.
    firstChild.data = text;
  } else {
    node.textContent = text;
  }
}

/** Hide or show an element; styles are only recomputed on a change. */
export function setHidden(node: HTMLElement, hidden: boolean): void {
  if (node.hidden !== hidden) {
    node.hidden = hidden;
  }
}

/** Set an attribute; styles are only recomputed on a change. */
export function setAttribute(node: Element, name: string, value: string): void {
  if (node.getAttribute(name) !== value) {
    node.setAttribute(name, value);
  }
}

/** Set a style property; the layout is only recomputed on a change. */
export function setStyle(node: HTMLElement, property: 'top' | 'width' | 'height' | 'transform', value: string): void {
  if (node.style[property] !== value) {
    node.style[property] = value;
  }
}

/** Set a `data-` attribute; styles are only recomputed on a change. */
export function setData(node: HTMLElement, name: string, value: string): void {
  if (node.dataset[name] !== value) {
    node.dataset[name] = value;
  }
}
