/** Checks decoded frames against the schema (`docs/feed.md`, "Validation"), so that no other code has to. */
import { boundedText, isMap, isWhole, listOf, mapOf } from '../base/untrusted';
import type { ColumnCheck, ValueCheck } from './checks';
import { type Column, type Frame, FrameError, type FrameNames, type NameEntries, type Scalar, type TopicBody } from './frame';
import { TOPICS, type Topic } from './schema';
import { CHECKS, LIMITS, NAME_CHECKS } from './schema-checks';

/** A frame with all values within their bounds. */
export interface CheckedFrame {
  /** Valid topics only, and only those known to this version. */
  readonly frame: Frame;
  /** A message for each dropped topic. */
  readonly problems: readonly string[];
}

type Dictionary = keyof typeof NAME_CHECKS;

const DICTIONARIES = Object.keys(NAME_CHECKS) as Dictionary[];

/** Lists that a topic itself extends: what their indices count, and which of its parts extend them. */
type Own = Readonly<Record<'prefixes' | 'frames' | 'stacks', number>>;

/** Number 0 of frames and stacks means none. */
const NOTHING_OWN: Own = { prefixes: 0, frames: 1, stacks: 1 };

/** Lengths that bound a body's indices. */
type Lengths = Readonly<Record<string, number>>;

/**
 * Checks the frames of one feed, in order: indices are checked against the dictionaries as they grow.
 *
 * A topic that breaks a bound is dropped and reported; if the envelope or the dictionaries do, the frame is refused.
 */
export class FrameValidator {
  /** @throws FrameError with a message if nothing of the frame can be used */
  check(frame: Frame): CheckedFrame {
    checkEnvelope(frame);
    if (frame.feed !== this.feed || frame.epoch !== this.epoch) {
      this.forget(frame);
    }
    const names = this.learn(frame.names);
    const topics: Record<string, TopicBody> = {};
    const problems: string[] = [];
    for (const topic of TOPICS) {
      const body = Object.hasOwn(frame.topics, topic) ? frame.topics[topic] : undefined;
      if (body === undefined) {
        continue;
      }
      try {
        topics[topic] = this.checkBody(topic, body);
      } catch (error) {
        if (!(error instanceof FrameError)) {
          throw error;
        }
        problems.push(error.message);
      }
    }
    return { frame: { ...frame, names, topics }, problems };
  }

  /**
   * A part of the feed is missing: the next names may skip indices, which get the name "?", and a topic's own lists are
   * unreadable until it starts over.
   */
  gap(): void {
    this.gapped = new Set(DICTIONARIES);
    this.own.clear();
    this.broken = true;
  }

  private forget({ feed, epoch }: Frame): void {
    this.feed = feed;
    this.epoch = epoch;
    this.known = { ...NO_NAMES };
    this.own.clear();
    this.broken = false;
  }

  private learn(names: FrameNames): FrameNames {
    const learned: Record<string, NameEntries<Scalar>> = {};
    const known = { ...this.known };
    for (const dictionary of DICTIONARIES) {
      const entries: unknown = Object.hasOwn(names, dictionary) ? names[dictionary] : undefined;
      if (entries !== undefined) {
        const checked = this.entries(dictionary, entries, known);
        known[dictionary] = Math.max(known[dictionary], checked.from + checked.values.length);
        learned[dictionary] = checked;
        this.gapped.delete(dictionary);
      }
    }
    this.known = known;
    return learned as unknown as FrameNames;
  }

  private entries(dictionary: Dictionary, value: unknown, known: Lengths): NameEntries<Scalar> {
    const where = `the dictionary ${dictionary}`;
    const { from, values } = mapOf(value);
    if (dictionary === 'groups' && isWhole(from) && Array.isArray(values) && from + values.length > LIMITS.entries) {
      // Their indices grow forever because the oldest are dropped: only the newest of this number have names.
      return { from: known.groups, values: [] };
    }
    if (!isWhole(from) || !Array.isArray(values) || from + values.length > LIMITS.entries) {
      throw damaged(`${where} has no entries, or too many`);
    }
    const missing = from - known[dictionary];
    // Of groups only the newest names are kept.
    if (missing > 0 && !this.gapped.has(dictionary) && dictionary !== 'groups') {
      throw damaged(`${where} leaves out entries`);
    }
    const checked = (values as unknown[]).map(entry => checkValue(NAME_CHECKS[dictionary], entry, where, known));
    if (dictionary === 'workers') {
      return { from, values: checked.map(facts => ({ ...BARE_WORKER, ...(facts as { [key: string]: Scalar }) })) };
    }
    return missing > 0
      ? { from: known[dictionary], values: [...Array<Scalar>(missing).fill(UNNAMED[dictionary]), ...checked] }
      : { from, values: checked };
  }

  private checkBody(topic: Topic, body: TopicBody): TopicBody {
    const checks = CHECKS[topic];
    const where = `topic ${topic}`;
    const rows = rowsOf(body.columns);
    if (Math.max(rows, rowsOf(body.moves ?? {})) > LIMITS.rows) {
      throw damaged(`${where} has too many rows`);
    }
    const lengths: Record<string, number> = { ...this.known, rows };
    const scalars: Record<string, Scalar> = {};
    for (const [name, check] of Object.entries(checks.scalars)) {
      if (Object.hasOwn(body.scalars, name)) {
        scalars[name] = checkValue(check, body.scalars[name], `${name} of ${where}`, lengths);
      }
    }
    const grown = OWN_TOPICS.has(topic) ? this.grow(topic, scalars, body) : null;
    if (grown !== null) {
      Object.assign(lengths, { 'own.prefixes': grown.prefixes, 'own.frames': grown.frames, 'own.stacks': grown.stacks });
    }
    const columns = checkColumns(checks.columns, body.columns, where, lengths);
    const moves = body.moves && checks.moves && checkColumns(checks.moves, body.moves, `the second table of ${where}`, lengths);
    if (grown !== null) {
      this.own.set(topic, grown);
    }
    return moves === undefined ? { columns, scalars } : { columns, scalars, moves };
  }

  /** The size of a topic's own lists after a body. */
  private grow(topic: Topic, scalars: Readonly<Record<string, Scalar>>, body: TopicBody): Own {
    const before = scalars.first === 0 ? NOTHING_OWN : this.own.get(topic);
    if (before === undefined && this.broken) {
      throw damaged(`topic ${topic} goes on from a part that is missing`);
    }
    const { prefixes, frames, stacks } = before ?? NOTHING_OWN;
    const grown = {
      prefixes: prefixes + listOf(scalars.prefixes).length,
      frames: frames + listOf(scalars.frames).length,
      stacks: stacks + rowsOf(body.moves ?? {})
    };
    if (Math.max(grown.prefixes, grown.frames, grown.stacks) > LIMITS.entries) {
      throw damaged(`topic ${topic} has too many stacks, functions or prefixes`);
    }
    return grown;
  }

  private feed = '';
  private epoch = -1;
  private known: Record<Dictionary, number> = { ...NO_NAMES };
  /** Dictionaries that may have missing entries. */
  private gapped = new Set<Dictionary>();
  private broken = false;
  private readonly own = new Map<Topic, Own>();
}

const NO_NAMES = { workers: 0, prefixes: 0, groups: 0, lanes: 0 };
const BARE_WORKER = { address: '', name: '', host: '', nthreads: 0, memory_limit: 0 };
const UNNAMED: Readonly<Record<Dictionary, Scalar>> = {
  workers: { ...BARE_WORKER, name: '?' },
  prefixes: '?',
  groups: '?',
  // Belongs to no worker.
  lanes: [-1, 0]
};
/** Topics that have a second table, whose rows have no ids. */
export const TWO_TABLES: ReadonlySet<string> = new Set(TOPICS.filter(topic => CHECKS[topic].moves !== undefined));
const OWN_TOPICS: ReadonlySet<Topic> = new Set(TOPICS.filter(topic => 'frames' in CHECKS[topic].scalars));

function damaged(what: string): FrameError {
  return new FrameError(`This frame is damaged: ${what}.`);
}

function checkEnvelope({ feed, epoch, seq, time, cursor }: Frame): void {
  const places = Object.entries(cursor);
  const whole = feed.length <= LIMITS.identity && isWhole(epoch) && isWhole(seq) && places.length <= LIMITS.cursor;
  if (!whole || !places.every(([name, value]) => name.length <= LIMITS.identity && isWhole(value))) {
    throw damaged('its numbers are out of bounds');
  }
  const { least, most } = FRAME_TIME;
  if (!(time >= least && time <= most)) {
    throw damaged('its time lies outside of the years 1970 to 2200');
  }
}

const FRAME_TIME = CHECKS.events.columns.time as { readonly least: number; readonly most: number };

function rowsOf(columns: Readonly<Record<string, Column>>): number {
  for (const name in columns) {
    return columns[name].length;
  }
  return 0;
}

type Columns = Record<string, Column>;

function checkColumns(
  checks: Readonly<Record<string, ColumnCheck>>,
  columns: Readonly<Columns>,
  where: string,
  lengths: Lengths
): Columns {
  const known: Columns = {};
  for (const [name, column] of Object.entries(columns)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : checks[name.replace(/^.*_/, '*_')];
    if (check !== undefined) {
      known[name] = checkColumn(check, column, `column ${name} of ${where}`, lengths);
    }
  }
  const lacks = Object.keys(checks).find(name => checks[name].needed && !Object.hasOwn(known, name));
  if (lacks !== undefined && rowsOf(columns) > 0) {
    throw damaged(`${where} has no column ${lacks}`);
  }
  return known;
}

function checkColumn(check: ColumnCheck, column: Column, where: string, lengths: Lengths): Column {
  const float = column instanceof Float64Array || column instanceof Float32Array;
  if (float !== check.float) {
    throw damaged(`${where} is of another type`);
  }
  if ('in' in check) {
    return held(column, 0, (lengths[check.in] ?? 0) - 1 + (check.plus ?? 0), where);
  }
  if (!check.unknown) {
    return held(column, check.least, check.most, where);
  }
  const { least, most } = check;
  for (let i = 0; i < column.length; i++) {
    const value = column[i];
    if (!(value >= least && value <= most)) {
      column[i] = Number.NaN;
    }
  }
  return column;
}

/** The column, if all values are between two bounds. */
function held(column: Column, least: number, most: number, where: string): Column {
  for (let i = 0; i < column.length; i++) {
    const value = column[i];
    if (!(value >= least && value <= most)) {
      throw damaged(`${where} has a value that cannot be (${value} in row ${i})`);
    }
  }
  return column;
}

function checkValue(check: ValueCheck, value: unknown, where: string, lengths: Lengths): Scalar {
  if (value === null && check.null) {
    return null;
  }
  if (typeof value === 'string' && 'text' in check && check.text !== undefined) {
    return value.length <= check.text ? value : boundedText(value, check.text);
  }
  if ('in' in check) {
    if (isWhole(value) && value < (lengths[check.in] ?? 0) + (check.plus ?? 0)) {
      return value;
    }
  } else if ('least' in check) {
    const fits = typeof value === 'number' && value >= check.least && value <= check.most;
    if (fits && (!check.whole || Number.isInteger(value))) {
      return value;
    }
    if (check.unknown) {
      return null;
    }
  } else if ('flag' in check) {
    if (typeof value === 'boolean') {
      return value;
    }
  } else if ('list' in check) {
    const most = check.most === 'rows' ? lengths.rows : check.most;
    if (Array.isArray(value) && value.length <= most) {
      return (value as unknown[]).map(part => checkValue(check.list, part, where, lengths));
    }
  } else if ('tuple' in check) {
    const { tuple } = check;
    if (Array.isArray(value) && value.length === tuple.length) {
      return (value as unknown[]).map((part, i) => checkValue(tuple[i], part, where, lengths));
    }
  } else if ('map' in check) {
    if (isMap(value)) {
      return checkMap(check, value, where, lengths);
    }
  } else if ('fields' in check && isMap(value)) {
    return checkFields(check, value, where, lengths);
  }
  throw damaged(`${where} is not what it should be`);
}

function checkMap(
  { map, most, keys }: Extract<ValueCheck, { map: ValueCheck }>,
  value: Record<string, unknown>,
  where: string,
  lengths: Lengths
): Scalar {
  const entries = Object.entries(value);
  if (entries.length > most) {
    throw damaged(`${where} has too many entries`);
  }
  return Object.fromEntries(entries.map(([key, part]) => [boundedText(key, keys), checkValue(map, part, where, lengths)]));
}

function checkFields(
  { fields }: Extract<ValueCheck, { fields: unknown }>,
  value: Record<string, unknown>,
  where: string,
  lengths: Lengths
): Scalar {
  const known: { [key: string]: Scalar } = {};
  for (const name in fields) {
    if (Object.hasOwn(value, name)) {
      known[name] = checkValue(fields[name], value[name], `${name} of ${where}`, lengths);
    }
  }
  return known;
}
