// @vitest-environment jsdom
import { afterEach, expect, it } from 'vitest';
import { MessageBox } from '../../../src/plot-frame/message';

const pane = document.createElement('div');
pane.tabIndex = -1;
pane.className = 'pane';

afterEach(() => {
  pane.replaceChildren();
  pane.remove();
});

it('keeps the focus while its message changes, and leaves it in the pane when there is none any more', () => {
  const box = new MessageBox('dp-Banner');
  pane.append(box.node);
  document.body.append(pane);
  const reconnect = { label: 'Reconnect', run: () => undefined };
  const reload = { label: 'Reload the page', run: () => undefined };
  box.show({ head: 'The connection to the Jupyter server is lost.', actions: [reconnect] });
  box.node.querySelector('button')?.focus();
  box.show({ head: 'JupyterLab has given up.', actions: [reload, reconnect] });
  expect(document.activeElement?.textContent).toBe('Reconnect');
  box.show({ head: 'Loading' });
  expect(document.activeElement).toBe(pane);
  box.show({ head: 'The connection to the Jupyter server is lost.', actions: [reconnect] });
  expect(document.activeElement).toBe(pane);
  box.node.querySelector('button')?.focus();
  box.show(null);
  expect(document.activeElement).toBe(pane);
  const other = document.body.appendChild(document.createElement('button'));
  other.focus();
  box.show({ head: 'Loading', actions: [reconnect] });
  expect(document.activeElement).toBe(other);
  other.remove();
});
