/** A selection as plain JSON, to be kept in a saved layout. What is read is untrusted. */
import { isWhole, mapOf } from '../../base/untrusted';
import { parseJson } from '../../base/untrusted-json';
import type { Seconds } from '../../base/units';
import type { Run } from '../run';
import {
  type DurationRange,
  isEmpty,
  NOTHING_SELECTED,
  type Period,
  type SelectedComputation,
  type SelectedRows,
  type Selection,
  selectionOf,
  type ThreadName
} from './selection';

/** Values kept of one condition: a selection of more by hand is unlikely, and a layout stays small. */
const MOST_VALUES = 10_000;
/** Characters of a name. Longer names are not saved. */
const LONGEST_NAME = 1000;
/** Upper limit of scheduler times, seconds since the Unix epoch. */
const LATEST = 1e12;

/** @returns text that {@link readSelection} reads; empty for a selection without a condition */
export function writeSelection(selection: Selection): string {
  if (isEmpty(selection)) {
    return '';
  }
  const conditions = Object.entries(selection).filter(([, value]) => value !== null && value !== false);
  return JSON.stringify(Object.fromEntries(conditions));
}

/**
 * Read a saved selection. Invalid conditions are left out.
 *
 * @param text - text from {@link writeSelection}, or anything else
 */
export function readSelection(text: unknown): Selection {
  const saved = mapOf(parseJson(text));
  return {
    period: period(saved.period),
    threads: list(saved.threads, thread),
    workers: list(saved.workers, name),
    functions: list(saved.functions, name),
    rows: rows(saved.rows),
    computation: computation(saved.computation),
    durations: durations(saved.durations),
    erred: saved.erred === true,
    finished: saved.finished === true
  };
}

/**
 * Select what a view had selected before, unless anything was selected or cleared since the run began, the saved period lies outside
 * the run, or single executions or a computation are those of another run. After a view that had nothing selected, none
 * selects. Nothing is selected if a condition has too many values: without it, there would be tasks that were not selected.
 *
 * @param text - as for {@link readSelection}; undefined where nothing was saved
 * @param since - scheduler time from which on the view has data
 * @returns whether the view is to save what is selected now: something else was selected or cleared before the view was there
 */
export function restoreSelection(run: Run, text: unknown, since: Seconds = run.origin): boolean {
  const saved = hasTooMany(text) ? NOTHING_SELECTED : readSelection(text);
  const selection = selectionOf(run);
  const inTime = saved.period === null || (saved.period.to > since && saved.period.from < run.clock.latest);
  const ofRun = [saved.rows, saved.computation].every(part => part === null || part.run === run.identity);
  if (!selection.used && !isEmpty(saved) && inTime && ofRun) {
    selection.select(saved);
  } else if (text === '') {
    selection.stayEmpty();
  }
  return selection.used && writeSelection(selection.current) !== text;
}

function hasTooMany(text: unknown): boolean {
  const saved = mapOf(parseJson(text));
  return [...Object.values(saved), mapOf(saved.rows).numbers].some(value => Array.isArray(value) && value.length > MOST_VALUES);
}

function list<T>(value: unknown, read: (item: unknown) => T | null): readonly T[] | null {
  if (!Array.isArray(value) || value.length > MOST_VALUES) {
    return null;
  }
  const items = value.map(read).filter(item => item !== null);
  return items.length > 0 ? items : null;
}

function period(value: unknown): Period | null {
  const { from, to } = mapOf(value);
  return isMoment(from) && isMoment(to) && from < to ? { from, to } : null;
}

function isMoment(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < LATEST;
}

function name(value: unknown): string | null {
  return typeof value === 'string' && value.length <= LONGEST_NAME ? value : null;
}

function thread(value: unknown): ThreadName | null {
  const { worker, thread: number } = mapOf(value);
  const address = name(worker);
  const usable = number === null || (typeof number === 'number' && Number.isFinite(number));
  return address !== null && usable ? { worker: address, thread: number } : null;
}

function durations(value: unknown): DurationRange | null {
  const { least, most } = mapOf(value);
  // JSON has no infinity: a range without an end is saved with null.
  const end = most === null ? Number.POSITIVE_INFINITY : most;
  const usable = typeof least === 'number' && typeof end === 'number' && least >= 0 && least <= end;
  return usable && (least > 0 || end < Number.POSITIVE_INFINITY) ? { least, most: end } : null;
}

function computation(value: unknown): SelectedComputation | null {
  const { run, id } = mapOf(value);
  const identity = name(run);
  return identity !== null && isWhole(id) ? { run: identity, id } : null;
}

function rows(value: unknown): SelectedRows | null {
  const { run, numbers } = mapOf(value);
  const identity = name(run);
  const found = list(numbers, item => (isWhole(item) ? item : null));
  return identity !== null && found !== null ? { run: identity, numbers: found } : null;
}
