// @vitest-environment jsdom
import { afterEach, expect, it } from 'vitest';
import { helpButton } from '../../../src/plot-frame/explain';
import { progress } from '../../../src/plots/tasks/progress';
import { openChoices } from '../../../src/report/choices';
import { translate as trans } from '../translate';

afterEach(() => {
  document.body.replaceChildren();
});

/** A click as browsers make it: the pressed button has the focus before its click. */
function press(button: HTMLElement): void {
  button.dispatchEvent(new Event('pointerdown', { bubbles: true }));
  button.focus();
  button.click();
}

it('a second click on its button closes what the first one opened', () => {
  const [help, other] = [helpButton(progress, trans), helpButton(progress, trans)];
  document.body.append(help, other);
  const shown = (): (number | string | null)[] => [
    document.querySelectorAll('.dp-Popover').length,
    help.getAttribute('aria-expanded')
  ];
  press(help);
  expect(shown()).toEqual([1, 'true']);
  press(help);
  expect(shown()).toEqual([0, 'false']);
  expect(document.activeElement).toBe(help);
  press(help);
  press(other);
  expect(shown()).toEqual([1, 'false']);
  press(other);
  expect(shown()).toEqual([0, 'false']);
});

it('a choice in a report gives the focus back to its button', () => {
  const anchor = document.body.appendChild(document.createElement('button'));
  const chosen: (Element | null)[] = [];
  openChoices([{ label: 'by worker', run: () => chosen.push(document.activeElement) }], anchor);
  document.querySelector<HTMLElement>('.dp-Report-choice')?.click();
  expect(chosen).toEqual([anchor]);
  expect(document.activeElement).toBe(anchor);
});
