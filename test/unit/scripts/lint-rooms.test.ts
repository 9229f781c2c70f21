import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkRooms } from '../../../scripts/lint-rooms.mjs';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dask panes rooms '));
  mkdirSync(join(root, 'src'));
  mkdirSync(join(root, 'bridge', 'dask_panes'), { recursive: true });
});

afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Where violations are, as `file:line`. */
function found(): string[] {
  return checkRooms(root).map(({ file, line }) => `${file.replaceAll('\\', '/')}:${line}`);
}

describe('rooms of src', () => {
  it('lets a room import from itself and from those before it', () => {
    write('src/feed/codec.ts', "import { x } from '../base/units';\nexport * from './frame';");
    write('src/index.ts', "import { panes } from './panes';\nimport '@jupyterlab/application';");
    expect(found()).toEqual([]);
  });

  it.each([
    ['a named import', "import { Run } from '../run/run';"],
    ['a type', "import type { Run } from '../run/run';"],
    ['a re-export', "export { Run } from '../run/run';"],
    ['an import over several lines', "import {\n  Run\n} from '../run/run';"],
    ['a dynamic import', "const run = await import('../run/run');"],
    ['an import for its effect', "import '../run/run';"],
    ['the entry', "import plugins from '..';"]
  ])('finds %s from a room after it', (_name, text) => {
    write('src/feed/codec.ts', text);
    expect(found()).toHaveLength(1);
  });

  it('says where', () => {
    write('src/base/a.ts', "import '../base/b';\n\nimport '../views/view';");
    expect(found()).toEqual(['src/base/a.ts:3']);
  });

  it('keeps Vega in views, and JupyterLab out of plots', () => {
    write('src/views/vega/runtime.ts', "import * as vega from 'vega';\nimport 'vega-lite';");
    write('src/panes/pane/pane.ts', "import * as vega from 'vega-lite';");
    write('src/plots/workers/cpu.ts', "import { Widget } from '@lumino/widgets';");
    expect(found()).toEqual(['src/panes/pane/pane.ts:1', 'src/plots/workers/cpu.ts:1']);
  });

  it('does not let an unknown room pass', () => {
    write('src/helpers/a.ts', "import '../base/b';");
    expect(found()).toEqual(['src/helpers/a.ts:1']);
  });
});

describe('rooms of the bridge', () => {
  it('lets a room import from those before it, the library and modules beside the rooms', () => {
    write(
      'bridge/dask_panes/kernel/session.py',
      'import asyncio\nfrom ..feed import encode\nfrom .._version import __version__\n'
    );
    write('bridge/dask_panes/__init__.py', 'from .kernel.api import show\n');
    expect(found()).toEqual([]);
  });

  it.each([
    'from ..kernel.session import Session',
    'from .. import kernel',
    'import dask_panes.kernel.session',
    'from dask_panes.kernel import session',
    'from dask_panes import kernel',
    'def f():\n    from ..kernel import session',
    'LATER = {"dask": "dask_panes.kernel"}',
    "LATER = {'save': 'kernel.saving:save'}"
  ])('finds `%s` in a room before it', text => {
    write('bridge/dask_panes/feed/encode.py', text);
    expect(found()).toHaveLength(1);
  });

  it('takes names of rooms in other texts for no imports', () => {
    write(
      'bridge/dask_panes/feed/encode.py',
      'KINDS = ("kernel", "local")\n# See "kernel" of the schema.\nPATH = "kernel/a.json"\n'
    );
    write('bridge/dask_panes/__init__.py', 'LATER = {"record": "files.record"}\n');
    expect(found()).toEqual([]);
  });

  it('keeps the collector self-contained', () => {
    write('bridge/dask_panes/scheduler/collector/plugin.py', 'from .columns import Columns\nfrom . import names\n');
    expect(found()).toEqual([]);
    write('bridge/dask_panes/scheduler/collector/plugin.py', 'from ..ship import send\n');
    expect(found()).toEqual(['bridge/dask_panes/scheduler/collector/plugin.py:1']);
  });
});

describe('plots and views', () => {
  it.each([
    ['src/plots/tasks/progress.ts', "import { createView } from '../../views/index';"],
    ['src/views/table/view.ts', "import { PLOTS } from '../../plots';"]
  ])('%s does not import the other', (path, text) => {
    write(path, text);
    expect(found()).toEqual([`${path}:1`]);
  });

  it('has no JupyterLab in what a report shares', () => {
    write('src/plot-frame/legend.ts', "import { MenuSvg } from '@jupyterlab/ui-components';");
    write('src/charts/axis.ts', "import { Menu } from '@lumino/widgets';");
    expect(found()).toEqual(['src/charts/axis.ts:1', 'src/plot-frame/legend.ts:1']);
  });

  it('has no style sheet of its own in what a report shares', () => {
    write('src/panes/code.ts', "import '../../style/pane.css';");
    write('src/plot-frame/legend.ts', "import '../../style/pane.css';");
    expect(found()).toEqual(['src/plot-frame/legend.ts:1']);
  });
});

describe('circles', () => {
  it('finds files that import each other, also through a third and for a type only', () => {
    write('src/run/a.ts', "import type { B } from './b';");
    write('src/run/b.ts', "export * from './c';");
    write('src/run/c.ts', "const a = await import('./a');");
    write('src/run/d.ts', "import './a';");
    expect(checkRooms(root).map(({ text }) => text)).toEqual(['imports in a circle: src/run/a.ts, src/run/b.ts, src/run/c.ts']);
  });

  it('finds them in Python', () => {
    write('bridge/dask_panes/kernel/a.py', 'from .b import thing\n');
    write('bridge/dask_panes/kernel/b.py', 'def f():\n    from . import a\n');
    write('bridge/dask_panes/kernel/c.py', 'from .a import (\n    one,\n    two,\n)\n');
    expect(found()).toEqual(['bridge/dask_panes/kernel/a.py:1']);
  });
});

describe('comments', () => {
  it('are in lines of 135 characters at most, unless they are generated', () => {
    write('src/run/a.ts', `/** ${'x'.repeat(128)} */\n  // ${'x'.repeat(131)}\nconst long = '${'x'.repeat(200)}';\n`);
    write('src/feed/schema.ts', `/** ${'x'.repeat(200)} */`);
    write('test/unit/a.test.ts', `x;\n/**\n * ${'x'.repeat(140)}\n */`);
    expect(found()).toEqual(['src/run/a.ts:2', 'test/unit/a.test.ts:3']);
  });
});

describe('sizes', () => {
  const reasons = (list: Readonly<Record<string, string>>): void => write('scripts/rooms/exceptions.json', JSON.stringify(list));

  it('lets a file have 300 lines and a folder twelve files', () => {
    write('src/run/long.ts', 'x;\n'.repeat(300));
    for (let i = 0; i < 11; i++) {
      write(`src/run/${i}.ts`, '');
    }
    expect(found()).toEqual([]);
    write('src/run/long.ts', 'x;\n'.repeat(301));
    write('src/run/11.ts', '');
    expect(found()).toEqual(['src/run:1', 'src/run/long.ts:1']);
  });

  it('takes a reason, but not one that is no longer needed', () => {
    write('src/run/long.ts', 'x;\n'.repeat(301));
    reasons({ 'src/run/long.ts': 'one structure' });
    expect(found()).toEqual([]);
    write('src/run/long.ts', 'x;\n');
    expect(found()).toEqual(['src/run/long.ts:1']);
  });

  it('does not count what is generated or made', () => {
    write('src/feed/schema.ts', 'x;\n'.repeat(1000));
    write('bridge/dask_panes/labextension/static/a.ts', 'x;\n'.repeat(1000));
    expect(found()).toEqual([]);
  });
});
