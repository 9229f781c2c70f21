// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import { OfferBar } from '../../../src/panes/actions/offers';

it('keeps a button while its action changes, and does nothing while it is refused', () => {
  const bar = new OfferBar();
  const run = vi.fn();
  bar.show([]);
  expect(bar.node.hidden).toBe(true);
  bar.show([{ label: 'Measure', refusal: 'The client is closed.', run }]);
  const button = bar.node.querySelector('button');
  button?.click();
  expect(run).not.toHaveBeenCalled();
  expect(bar.node.textContent).toContain('The client is closed.');
  bar.show([{ label: 'Measure', refusal: '', run }]);
  expect(bar.node.querySelector('button')).toBe(button);
  button?.click();
  expect(run).toHaveBeenCalledOnce();
  bar.show([]);
  expect(bar.node.hidden).toBe(true);
});
