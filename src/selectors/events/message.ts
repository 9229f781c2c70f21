/** What the messages of events contain. Their JSON may be cut at its end, so it is not parsed as a whole. */
import type { SchedulerEvent } from '../../run/logs/events';
import type { Run } from '../../run/run';

/** A plain field of an event; empty if it has none. */
export function fieldOf({ text }: SchedulerEvent, name: string): string {
  const found = new RegExp(`"${name}": (?:"([^"\\\\]{0,300})"|(true|false))`).exec(text);
  return found?.[1] ?? found?.[2] ?? '';
}

/** Events of graphs that the scheduler could not read, most often since it has other packages than the client. */
export function unreadGraphs({ events }: Run): readonly SchedulerEvent[] {
  return events.list.filter(event => event.action === 'update-graph' && fieldOf(event, 'status') === 'error');
}

/** "… N more", which the collector puts in the place of what it leaves out of a list. */
const MORE = /"\\u2026 (\d+) more"$/;

/**
 * Number of items of a field that is a list; 0 if there is none.
 *
 * @returns a lower bound where the message is cut within the list
 */
export function itemsOf({ text }: SchedulerEvent, name: string): number {
  const begin = `"${name}": [`;
  const at = text.indexOf(begin);
  if (at < 0) {
    return 0;
  }
  let depth = 1;
  let [items, quoted, empty] = [0, false, true];
  let i = at + begin.length;
  for (; i < text.length && depth > 0; i++) {
    const char = text[i];
    if (quoted) {
      i += char === '\\' ? 1 : 0;
      quoted = char !== '"';
      continue;
    }
    quoted = char === '"';
    depth += '[{'.includes(char) ? 1 : ']}'.includes(char) ? -1 : 0;
    items += char === ',' && depth === 1 ? 1 : 0;
    empty &&= depth === 0;
  }
  if (empty) {
    return 0;
  }
  const more = MORE.exec(text.slice(at, i - 1).trimEnd());
  return more === null ? items + 1 : items + Number(more[1]);
}

/** Whether a list of an event has a text; `null` if that is not known, since the list is missing or cut. */
export function listed({ text }: SchedulerEvent, name: string, item: string): boolean | null {
  const at = text.indexOf(`"${name}": [`);
  const list = at < 0 ? '' : text.slice(at);
  if (list.includes(JSON.stringify(item))) {
    return true;
  }
  return list === '' || list.includes('\\u2026') || !list.endsWith('}') ? null : false;
}
