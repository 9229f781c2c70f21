import { tabSeparated } from '../../plot/csv';
import type { TableData, Translate } from '../../plot/plot';
import type { Run } from '../../run/run';
import type { Selection } from '../../run/selection/selection';
import { comparedNewest, comparedSelections } from '../../selectors/compare/selections';
import { conditionWords } from '../../selectors/selection/condition-words';
import type { SelectionStatistics } from '../../selectors/selection/statistics';

/** Figures of what is selected now beside those that are kept. */
export interface Compared {
  readonly title: string;
  readonly table: TableData;
  /** What is left out. */
  readonly notes: readonly string[];
}

interface Kept {
  /** `Run.identity`. */
  readonly run: string;
  readonly selection: Selection;
  readonly words: string;
  readonly statistics: SelectionStatistics;
}

/** The statistics of a selection that are kept as A, to compare what is selected afterwards in the same run with them. */
export class Comparison {
  constructor(private readonly trans: Translate) {}

  /** Whether statistics are kept. */
  get active(): boolean {
    return this.kept !== null;
  }

  /** Keep the statistics of what is selected as they are now. */
  keep(run: Run, selection: Selection, statistics: SelectionStatistics): void {
    this.kept = { run: run.identity, selection, statistics, words: conditionWords(run, selection, this.trans) };
  }

  /** Keep none. */
  end(): void {
    this.kept = null;
  }

  /** Keep none of another run: its times have another origin. */
  begin(run: Run): void {
    if (this.kept?.run !== run.identity) {
      this.end();
    }
  }

  /** What to do while nothing else is selected; empty otherwise. */
  hint(selection: Selection): string {
    return this.kept?.selection === selection
      ? this.trans.__('Kept as A: %1. Select something else to compare it with A.', this.kept.words)
      : '';
  }

  /** The comparison with another selection; `null` if there is none. */
  compare(run: Run, selection: Selection, statistics: SelectionStatistics): Compared | null {
    const { kept, trans } = this;
    if (kept === null || kept.selection === selection) {
      return null;
    }
    return {
      title: trans.__('B, what is selected, compared with A: %1', kept.words),
      table: comparedSelections(run, kept.statistics, statistics, trans),
      notes: [comparedNewest('A', kept.statistics, trans), comparedNewest('B', statistics, trans)].filter(Boolean)
    };
  }

  private kept: Kept | null = null;
}

/** A comparison as text: the sentences, then the table separated by tabs. */
export function comparedText({ title, table, notes }: Compared): string {
  return `${[title, ...notes].join('\n')}\n${tabSeparated(table)}\n`;
}
