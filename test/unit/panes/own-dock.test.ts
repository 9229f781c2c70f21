// @vitest-environment jsdom
import type { JupyterFrontEnd } from '@jupyterlab/application';
import { MessageLoop } from '@lumino/messaging';
import { TabPanel, Widget } from '@lumino/widgets';
import { expect, it } from 'vitest';
import { OwnDock } from '../../../src/panes/docking/docks';

/** The area below the document of Notebook 7. */
function shellWith(down: TabPanel): JupyterFrontEnd {
  const shell = {
    add: (widget: Widget, area: string) => area === 'down' && down.addWidget(widget),
    activateById: (id: string) => {
      const found = down.widgets.find(widget => widget.id === id);
      if (found) {
        down.currentWidget = found;
        down.show();
      }
    }
  };
  return { shell } as unknown as JupyterFrontEnd;
}

function pane(id: string): Widget {
  const widget = new Widget();
  widget.id = id;
  return widget;
}

it('the panel of Notebook 7 closes with its panes, and opens again with the next pane', () => {
  const down = new TabPanel();
  Widget.attach(down, document.body);
  const dock = new OwnDock(shellWith(down));
  const first = pane('first');
  dock.add(first, undefined, null);
  dock.activate(first);
  expect(first.isVisible).toBe(true);
  // As its tab's button does.
  down.currentWidget?.close();
  MessageLoop.flush();
  expect([down.widgets.length, first.parent]).toEqual([0, null]);
  const second = pane('second');
  dock.add(second, undefined, null);
  dock.activate(second);
  expect([down.widgets.length, second.isVisible]).toEqual([1, true]);
  down.dispose();
});
