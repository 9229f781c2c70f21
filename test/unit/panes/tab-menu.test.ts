// @vitest-environment jsdom
import type { JupyterFrontEnd } from '@jupyterlab/application';
import { type Menu, Widget } from '@lumino/widgets';
import { afterEach, expect, it } from 'vitest';
import { addTabMenu } from '../../../src/panes/docking/tab-menu';
import type { PlotPane } from '../../../src/panes/pane/pane';
import { translate as trans } from '../translate';

afterEach(() => document.body.replaceChildren());

it('the menu of a tab has the items of its pane until the pane is closed, also after a right click in the menu itself', () => {
  let submenu: Menu | null = null;
  const contextMenu = { addItem: (item: { submenu: Menu }) => (submenu = item.submenu) };
  const panes = ['a', 'b'].map(id => {
    const menuItems = () => [{ label: id, run: () => undefined }];
    return Object.assign(new Widget(), { id, menuItems }) as unknown as PlotPane;
  });
  addTabMenu({ contextMenu } as unknown as JupyterFrontEnd, id => panes.find(pane => pane.id === id), trans);
  const labels = (): string[] => (submenu as unknown as Menu).items.map(({ label }) => label);
  const rightClick = (className: string, id = ''): void => {
    const node = document.body.appendChild(document.createElement('div'));
    node.className = className;
    node.dataset.id = id;
    node.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true }));
  };
  rightClick('lm-TabBar-tab dp-Tab', 'a');
  expect(labels()).toEqual(['a']);
  rightClick('lm-Menu');
  expect(labels()).toEqual(['a']);
  rightClick('lm-TabBar-tab dp-Tab', 'b');
  panes[0].dispose();
  expect(labels()).toEqual(['b']);
  panes[1].dispose();
  expect(labels()).toEqual([]);
  rightClick('');
  expect(labels()).toEqual([]);
});
