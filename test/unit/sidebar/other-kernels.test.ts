// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { OtherKernels } from '../../../src/sidebar/clients/other-kernels';
import { translate as trans } from '../translate';

const rows = (count: number): HTMLElement[] => Array.from({ length: count }, () => document.createElement('p'));
const drawn = (parts: readonly HTMLElement[]): string => parts.map(part => part.textContent || part.localName).join();

it('lists a few running kernels, and folds more into one line that opens', () => {
  let changes = 0;
  const others = new OtherKernels(trans, () => void changes++);
  expect(drawn(others.shown(rows(2)))).toBe('p,p');
  const folded = others.shown(rows(3));
  expect(drawn(folded)).toBe('3 other running kernels ▸');
  const button = folded[0].querySelector('button');
  expect(button?.getAttribute('aria-expanded')).toBe('false');
  button?.click();
  expect(changes).toBe(1);
  expect(drawn(others.shown(rows(3)))).toBe('3 other running kernels ▾,p,p,p');
  others.shown(rows(3))[0].querySelector('button')?.click();
  expect(drawn(others.shown(rows(4)))).toBe('4 other running kernels ▸');
});
