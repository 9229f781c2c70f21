import type { IDisposable } from '@lumino/disposable';
import { wantsBrowserMenu } from '../../base/dom/browser-menu';
import { isRecorded } from '../../feed/feed';
import type { Subject } from '../../plot/plot';
import { stateOf } from '../../run/graph/task-graph';
import type { Run } from '../../run/run';
import { type RunSelection, type SelectedRows, selectionOf } from '../../run/selection/selection';
import { withinSelected } from '../../selectors/computations/selected';
import { isLeftOut, isPicked, pick } from '../../selectors/selection/picked';
import type { ShownRun } from '../shown-run';
import type { ViewHost } from '../view';
import type { Inspector } from './inspector';
import { BoxScene } from './scene/box-scene';
import type { LeftOut, Scene } from './scene/scene';

/**
 * What a user does with a node: selects in all views of the run what it stands for, opens its details or its tasks, acts on
 * it. A box stands for the tasks of its function, a task for its executions. A node of -1 is none.
 *
 * Guarantees: a selection of another view only dims nodes; it moves and removes none.
 */
export class NodeActions implements IDisposable {
  /** @param changed - another part of the run is selected, in any view */
  constructor(
    private readonly host: ViewHost,
    private readonly shown: Pick<ShownRun, 'run'>,
    private readonly inspector: Pick<Inspector, 'keyIfKnown'>,
    private readonly changed: () => void
  ) {
    this.selection = selectionOf(host.run);
    this.selection.changed.connect(this.onChanged, this);
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    this.disposed = true;
    this.selection.changed.disconnect(this.onChanged, this);
  }

  /**
   * Select what a node stands for.
   *
   * @param adds - whether other functions stay selected, and its own is deselected if it was selected
   */
  pick(scene: Scene, node: number, adds: boolean): void {
    const { run } = this.shown;
    const subject = this.subjectOf(scene, node);
    if (subject?.kind === 'function' && (adds || !isPicked(this.selection.current, subject))) {
      pick(this.selection, subject, adds);
    } else if (subject?.kind === 'task') {
      const numbers = run.executed.rows(scene.idOf(node));
      const rows = { rows: { run: run.identity, numbers } };
      if (numbers.length > 0) {
        this.selection.select(withinSelected(run, rows) ?? rows);
      }
    }
  }

  /** Deselect what a box stands for, if nothing else of its kind is selected. Returns whether it was selected. */
  unpick(scene: Scene, node: number): boolean {
    const subject = this.subjectOf(scene, node);
    return subject !== null && isPicked(this.selection.current, subject) && pick(this.selection, subject, false) === false;
  }

  /** Select nothing. */
  clear(): void {
    this.selection.clear();
  }

  /** Which nodes stand for something else than what is selected. */
  leftOut(scene: Scene): LeftOut {
    const { run } = this.shown;
    const { current } = this.selection;
    const { functions, rows } = current;
    if (functions === null && rows === null) {
      return null;
    }
    const tasks = rows === null ? null : tasksOf(run, rows);
    const prefixes = new Set(Array.from(tasks ?? [], number => run.graph.prefix(number)));
    const boxes = scene instanceof BoxScene;
    return node => {
      const subject = functionOf(run, scene, node);
      const within = tasks === null || (boxes ? prefixes.has(prefixOf(run, scene, node)) : tasks.has(scene.idOf(node)));
      return !within || (subject !== null && isLeftOut(current, subject));
    };
  }

  /** Open the details of a task; a box has none. */
  open(scene: Scene | null, node: number): void {
    const { host, inspector } = this;
    const present = this.shown.run.identity === host.run.identity;
    // Only of the present run, the scheduler knows tasks.
    if (scene !== null && node >= 0 && !(scene instanceof BoxScene) && !isRecorded(host.feed) && present) {
      const number = scene.idOf(node);
      host.open('task', { number, key: inspector.keyIfKnown(number) });
    }
  }

  /** Show the tasks of a box. */
  openBox(scene: Scene | null, node: number): void {
    const link = scene instanceof BoxScene && node >= 0 ? scene.opens?.(scene.idOf(node)) : null;
    if (link) {
      this.host.open(link.plot, link.args);
    }
  }

  /** Open a menu of what can be done with a node; there is none of a task whose key is not known. */
  openMenu(event: MouseEvent, scene: Scene | null, node: number, anchor: HTMLElement): void {
    const subject = scene === null ? null : this.subjectOf(scene, node);
    const known = subject !== null && !wantsBrowserMenu(event) && (subject.kind !== 'task' || subject.key !== '');
    if (known && this.host.actions?.open(subject, anchor, { x: event.clientX, y: event.clientY })) {
      event.preventDefault();
      // JupyterLab would open its own menu.
      event.stopPropagation();
    }
  }

  private subjectOf(scene: Scene, node: number): Subject | null {
    const { run } = this.shown;
    if (node < 0 || scene instanceof BoxScene) {
      return functionOf(run, scene, node);
    }
    const number = scene.idOf(node);
    return { kind: 'task', key: this.inspector.keyIfKnown(number), state: stateOf(run.graph.state(number)) };
  }

  private onChanged(): void {
    this.changed();
  }

  private readonly selection: RunSelection;
  private disposed = false;
}

function functionOf(run: Run, scene: Scene, node: number): Subject | null {
  const prefix = run.prefixNames[prefixOf(run, scene, node)];
  return prefix === undefined ? null : { kind: 'function', prefix };
}

function prefixOf(run: Run, scene: Scene, node: number): number {
  return node < 0 ? -1 : scene instanceof BoxScene ? scene.boxes[node].prefix : run.graph.prefix(scene.idOf(node));
}

/** Numbers of the tasks that rows were executions of; none for rows of another run. */
function tasksOf({ executed, identity }: Run, rows: SelectedRows): ReadonlySet<number> {
  return new Set(rows.run === identity ? rows.numbers.map(row => executed.task(row)) : []);
}
