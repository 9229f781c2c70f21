/** The ways in which a picture puts the samples of a profile together. */
import type { ProfileFold, ProfileFrame, ProfileStore } from '../../../run/logs/profile';
import type { PlotOption } from '../../../plot/plot';
import { functionRows } from '../profile-rows';
import { bottomUp } from './inverted';
import { Sandwich } from './sandwich';
import { SampledTree, type StackTree } from './stack-tree';

/** The values of {@link arrangementOption}. */
export type Arrangement = '' | 'left-heavy' | 'bottom-up' | 'sandwich';

/** The menu of a flame graph for its arrangement. */
export const arrangementOption: PlotOption = {
  id: 'arrangement',
  label: 'Arrangement',
  choices: [
    { value: '', label: 'callers on top' },
    { value: 'left-heavy', label: 'left heavy' },
    { value: 'bottom-up', label: 'bottom-up' },
    { value: 'sandwich', label: 'sandwich' }
  ],
  initial: ''
};

/** The arrangement from the options of a pane; an unknown one is the initial one. */
export function arrangementOf(options: Readonly<Record<string, string>>): Arrangement {
  const { arrangement = '' } = options;
  return arrangement === 'left-heavy' || arrangement === 'bottom-up' || arrangement === 'sandwich' ? arrangement : '';
}

/** What identifies a function in every run: numbers differ between feeds. */
export function functionKey({ file, first, name }: ProfileFrame): string {
  return `${file}:${first}:${name}`;
}

/** The function in the middle of a sandwich: that with a key, or if there is none the one with the most own samples. */
export function centreOf(store: ProfileStore, fold: ProfileFold, key: string): number {
  const found = key === '' ? -1 : store.frames.findIndex(frame => frame !== null && functionKey(frame) === key);
  return found > 0 ? found : (functionRows(store, fold).find(({ id }) => store.frames[id] !== null)?.id ?? 0);
}

/** The tree of an arrangement. */
export function treeOf(store: ProfileStore, fold: ProfileFold, arrangement: Arrangement, centre: string): StackTree {
  switch (arrangement) {
    case 'bottom-up':
      return bottomUp(store, fold);
    case 'sandwich':
      return new Sandwich(store, fold, centreOf(store, fold, centre));
    default:
      return new SampledTree(store, fold, arrangement === 'left-heavy');
  }
}

/** Functions from the root to a node, by number. */
export function pathOf(tree: StackTree, node: number): readonly number[] {
  const path: number[] = [];
  for (let at = node; at > 0; at = tree.parent(at)) {
    path.unshift(tree.frameNumber(at));
  }
  return path;
}

/** The node at the end of a path, in a tree whose nodes may have other numbers; 0 if there is none with samples. */
export function nodeAt(tree: StackTree, path: readonly number[]): number {
  let node = 0;
  for (const frame of path) {
    const next = [...tree.callees(node)].find(below => tree.frameNumber(below) === frame && tree.total(below) > 0);
    if (next === undefined) {
      return 0;
    }
    node = next;
  }
  return node;
}
