// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openMenu } from '../../../src/panes/pane/menu';
import { optionMenu } from '../../../src/panes/pane/pane-menus';
import { StatusLine } from '../../../src/panes/pane/status-line';
import type { PlotOption } from '../../../src/plot/plot';
import { translate as trans } from '../translate';

const ORDER: PlotOption = {
  id: 'order',
  label: 'Order',
  choices: [
    { value: 'name', label: 'by name' },
    { value: 'use', label: 'by use' }
  ]
} as never;

const menu = (): HTMLElement | null => document.querySelector<HTMLElement>('.lm-Menu.dp-Menu');
const press = (keyCode: number): void => {
  menu()?.dispatchEvent(new KeyboardEvent('keydown', { keyCode, bubbles: true, cancelable: true }));
};
/** The focus goes to a menu a moment after it has opened. */
const opened = (): Promise<void> => vi.waitFor(() => expect(menu()?.contains(document.activeElement)).toBe(true));
const button = (label: string): HTMLButtonElement => {
  const made = document.createElement('button');
  made.textContent = label;
  document.body.append(made);
  return made;
};

afterEach(() => document.body.replaceChildren());

it('an item has its colour before its text', async () => {
  const swatch = { colour: '#2f6fd1', pattern: 'diagonal' } as const;
  openMenu([{ label: 'inc', swatch, checked: true, run: () => undefined }], button('+ 1'));
  await opened();
  const label = menu()?.querySelector('.lm-Menu-itemLabel');
  expect(label?.textContent).toBe('inc');
  expect(label?.querySelector<HTMLElement>('.dp-Swatch')?.dataset.pattern).toBe('diagonal');
});

it('a choice says of which option it is among those of others, and does not say it twice', () => {
  const idle = { ...ORDER, label: 'Idle time', choices: [{ value: 'even', label: 'idle time shown' }] };
  const labels = (option: PlotOption, whole?: boolean): string[] =>
    optionMenu(option, { options: {} } as never, () => undefined, trans, whole).map(({ label }) => label);
  expect(labels(ORDER)).toEqual(['by name', 'by use']);
  expect(labels(ORDER, true)).toEqual(['Order: by name', 'Order: by use']);
  expect(labels(idle, true)).toEqual(['Idle time shown']);
});

describe('the focus after a menu', () => {
  it('is on the button again when Escape has closed it', async () => {
    const anchor = button('Actions');
    openMenu([{ label: 'Restart', run: () => undefined }], anchor);
    await opened();
    press(27);
    expect(document.activeElement).toBe(anchor);
  });

  it('is on the button before the command runs, so that a dialog goes back there', async () => {
    const anchor = button('Actions');
    let during: Element | null = null;
    const run = (): void => {
      during = document.activeElement;
    };
    openMenu([{ label: 'Restart', run }], anchor);
    await opened();
    press(40);
    press(13);
    expect(during).toBe(anchor);
  });

  it('is where it was before a context menu', async () => {
    const before = button('task stream');
    before.focus();
    openMenu([{ label: 'Restart', run: () => undefined }], document.body, { x: 1, y: 1 });
    await opened();
    press(27);
    expect(document.activeElement).toBe(before);
  });

  it('stays on the option that was chosen', async () => {
    const nothing = (): void => undefined;
    const actions = { resume: nothing, showCleared: nothing, unselect: nothing, statistics: nothing };
    const line = new StatusLine(trans, {
      ...actions,
      choose: ({ id }, anchor) =>
        openMenu([{ label: 'by use', run: () => line.setOptions([{ option: { ...ORDER, id }, value: 'use' }]) }], anchor)
    });
    document.body.append(line.node);
    line.setOptions([{ option: ORDER, value: 'name' }]);
    line.node.querySelector<HTMLElement>('.dp-Option')?.click();
    await opened();
    press(40);
    press(13);
    expect(document.activeElement?.textContent).toBe('by use ▾');
  });
});
