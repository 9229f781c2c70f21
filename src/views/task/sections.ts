/** The sections of a task's details, as elements. All texts come from a cluster and are only ever shown as text. */
import { anyKindWord } from '../../selectors/tasks/kind-words';
import { element } from '../../base/element';
import { formatBytes, formatCount, formatDuration, formatExactCount, formatWallClock } from '../../base/format';
import type { Seconds } from '../../base/units';
import type { Theme } from '../../base/theme';
import type { Translate } from '../../plot/plot';
import { stateLook, stateWords } from '../../selectors/tasks/task-states';
import { cutMiddle, oneLine } from '../../plot/text';
import { clockAt, sinceStartWords } from '../../selectors/moments';
import { debugLine } from '../../selectors/errors/debug';
import { ACTOR_LOST, TOO_LARGE } from '../../selectors/errors/words';
import type { TaskState } from '../../feed/schema';
import type { Run } from '../../run/run';
import type { CallStack, Code, Execution, Neighbour, TaskFacts } from './facts';
import type { ViewAction } from '../view';
import { debugHint } from './debug-line';
import { restrictionWords, whyAtEnd } from './words';

/** Longest key in a list, in characters. */
const LISTED_KEY = 120;
/** Where the link is in a text. */
const LINK = '\0';
/** Executions and neighbours with a separate line; the others are counted. */
const LISTED = 50;
/** Exceptions that no code of the task raised: to run it again would kill the kernel, or say nothing. */
const NOT_RAISED = new RegExp(`^(KilledWorker|NoValidWorkerError|NoWorkerError|\\w+Error\\('(${TOO_LARGE}|${ACTOR_LOST}))\\b`);

/** Environment of the sections. */
export interface Pen {
  readonly theme: Theme;
  readonly trans: Translate;
  readonly run: Run;
  open(task: { readonly key: string; readonly number: number }): void;
  /** Show the errors of a function. */
  errors(name: string): void;
}

/** Swatch and name of a state. */
function stateChip(state: TaskState, { theme, trans }: Pen): HTMLElement {
  const { colour, pattern, outlined } = stateLook(state, theme);
  const swatch = element('span', {
    class: 'dp-Swatch',
    attributes: { 'aria-hidden': 'true' },
    data: { pattern, ...(outlined ? { outlined: 'true' } : {}) }
  });
  swatch.style.setProperty('--dp-swatch', colour);
  const tone = state === 'erred' || state === 'no-worker' ? 'bad' : 'plain';
  return element('span', { class: 'dp-Task-state', data: { tone, taskState: state } }, swatch, stateWords(state, trans));
}

/**
 * Key, state, and the reason for it.
 *
 * @param fault - why the last request failed, so that all of it may be outdated; empty if it did not
 */
export function headOf(facts: TaskFacts, fault: string, pen: Pen): HTMLElement {
  const why = whyAtEnd(facts, pen.run, pen.trans);
  const late = fault === '' ? '' : pen.trans.__('as of the last answer: %1', oneLine(fault));
  return element(
    'div',
    { class: 'dp-Task-head' },
    element('div', { class: 'dp-Task-key' }, element('bdi', { text: facts.key })),
    ...(facts.state ? [stateChip(facts.state, pen)] : []),
    ...(why === '' ? [] : [element('p', { class: 'dp-Task-why', text: why })]),
    ...(late === '' ? [] : [element('p', { class: 'dp-Task-why', text: late, data: { tone: 'warn' } })])
  );
}

/** Buttons of the actions on a task. */
export function actionsSection(actions: readonly ViewAction[]): HTMLElement | null {
  const buttons = actions.map(({ label, refusal, run }) =>
    element('button', {
      class: 'dp-Button',
      text: label,
      title: refusal,
      attributes: { 'aria-disabled': String(refusal !== '') },
      onClick: () => refusal === '' && run()
    })
  );
  return buttons.length === 0 ? null : element('div', { class: 'dp-Task-actions' }, ...buttons);
}

/** How and when the attempts without a record in Dask ended. */
function attemptsWords({ attempts }: TaskFacts, run: Run, trans: Translate): string {
  const words: Readonly<Record<string, string>> = {
    retried: trans.__('failed and was retried'),
    rescheduled: trans.__('was rescheduled'),
    left: trans.__('its worker left')
  };
  return attempts
    .map(({ end, how }) => `${words[how] ?? trans.__('was taken from its worker')} ${clockAt(end, run)}`)
    .join(' · ');
}

/** Names and values. */
export function factsOf(facts: TaskFacts, { trans, run }: Pen): HTMLElement {
  const holders = facts.holders.map(name => oneLine(name)).join(', ');
  const more = facts.holderCount > facts.holders.length ? ` +${formatCount(facts.holderCount - facts.holders.length)}` : '';
  const rows: readonly (readonly [name: string, value: string])[] = [
    [trans.__('Function'), oneLine(facts.prefix)],
    [trans.__('Called with'), facts.args.map(each => oneLine(each)).join(', ')],
    [trans.__('Fused from'), facts.fused.map(each => oneLine(each)).join(', ')],
    [trans.__('Group'), oneLine(facts.group)],
    [trans.__('Worker'), oneLine(facts.worker)],
    [trans.__('Result on'), holders === '' ? '' : `${holders}${more}`],
    [
      trans.__('Result'),
      [Number.isNaN(facts.nbytes) ? '' : formatBytes(facts.nbytes), oneLine(facts.type)].filter(Boolean).join(' · ')
    ],
    [trans.__('Asks for'), restrictionWords(facts, trans)],
    [trans.__('Erred on'), facts.erredOn.map(name => oneLine(name)).join(', ')],
    [trans.__('Retries left'), facts.retries > 0 ? formatExactCount(facts.retries) : ''],
    [trans.__('Earlier attempts'), attemptsWords(facts, run, trans)],
    [trans.__('Workers lost with it'), facts.suspicious > 0 ? formatExactCount(facts.suspicious) : ''],
    [
      trans.__('Wanted by'),
      [
        ...(facts.clients > 0 ? [trans._n('1 client', '%2 clients', facts.clients, formatCount(facts.clients))] : []),
        ...facts.keptBy.map(name => oneLine(name))
      ].join(' · ')
    ],
    [trans.__('Actor'), facts.actor ? trans.__('yes') : ''],
    [trans.__('Priority'), facts.priority],
    [trans.__('Annotations'), oneLine(facts.annotations, 1000)]
  ];
  const shown = rows.filter(([, value]) => value !== '');
  return element(
    'dl',
    { class: 'dp-Task-facts' },
    ...shown.flatMap(([name, value]) => [element('dt', { text: name }), element('dd', {}, element('bdi', { text: value }))])
  );
}

/** A button with the key of another task, which opens its details. */
function taskLink(task: Pick<Neighbour, 'key' | 'number'>, pen: Pen): HTMLElement {
  return element(
    'button',
    { class: 'dp-Link dp-Task-link', title: cutMiddle(task.key, 1000), onClick: () => pen.open(task) },
    element('bdi', { text: cutMiddle(oneLine(task.key, 1000), LISTED_KEY) })
  );
}

/** A list of other tasks, each a link. */
export function neighboursSection(title: string, tasks: readonly Neighbour[], count: number, pen: Pen): HTMLElement | null {
  if (count === 0) {
    return null;
  }
  const items = tasks.slice(0, LISTED).map(task => element('li', {}, taskLink(task, pen), stateChip(task.state, pen)));
  const rest = count - items.length;
  const more = rest > 0 ? [element('li', { class: 'dp-Task-more', text: pen.trans.__('and %1 more', formatCount(rest)) })] : [];
  return section(title, formatExactCount(count), element('ul', { class: 'dp-Task-list' }, ...items, ...more));
}

/** When and where it ran. */
export function executionsSection(executions: readonly Execution[], { trans, run }: Pen): HTMLElement | null {
  if (executions.length === 0) {
    return null;
  }
  const heads = [trans.__('Start'), trans.__('Duration'), trans.__('Worker'), trans.__('Result'), trans.__('Before it')];
  const rows = executions.map(each =>
    element(
      'tr',
      {},
      element('td', { text: `${sinceStartWords(each.start, run, trans, 2)} · ${clockAt(each.start, run)}` }),
      element('td', { text: formatDuration(each.duration) }),
      element('td', {}, element('bdi', { text: oneLine(each.worker) })),
      element('td', {
        text: each.erred ? trans.__('erred') : formatBytes(each.nbytes),
        data: { tone: each.erred ? 'bad' : 'plain' }
      }),
      element('td', { text: movesText(each, run, trans) })
    )
  );
  return section(
    trans.__('Executions'),
    formatExactCount(executions.length),
    element(
      'table',
      { class: 'dp-Task-table' },
      element('thead', {}, element('tr', {}, ...heads.map(text => element('th', { text, attributes: { scope: 'col' } })))),
      element('tbody', {}, ...rows)
    )
  );
}

function movesText({ moves }: Execution, run: Run, trans: Translate): string {
  return moves.length === 0
    ? trans.__('nothing moved')
    : moves.map(move => `${anyKindWord(run, move.kind, trans)} ${formatDuration(move.duration)}`).join(', ');
}

/** Exception and traceback of the failed task. */
export function failureSection({ exception, traceback, blamed, prefix, key, state }: TaskFacts, pen: Pen): HTMLElement | null {
  if (exception === '' && traceback === '') {
    return null;
  }
  const { trans } = pen;
  const [before, after = ''] = trans.__('of %1', LINK).split(LINK);
  const link = blamed === '' ? [] : [element('p', {}, before, taskLink({ key: blamed, number: -1 }, pen), after)];
  const all = element('button', {
    class: 'dp-Link dp-Task-link',
    text: trans.__('All errors of %1', oneLine(prefix)),
    onClick: () => pen.errors(prefix)
  });
  const parts = [...link, element('p', { class: 'dp-Task-exception', text: exception, data: { tone: 'bad' } })];
  const line = state === 'erred' && !NOT_RAISED.test(exception) ? debugLine(pen.run, blamed === '' ? key : blamed) : '';
  return section(
    trans.__('Exception'),
    '',
    ...parts,
    ...(traceback === '' ? [] : [block(traceback)]),
    ...(line === '' ? [] : [debugHint(line, trans)]),
    element('p', {}, all)
  );
}

/** The user's code that submitted the task, if Dask has it. */
export function codeSection(code: readonly Code[], { trans }: Pen): HTMLElement | null {
  const known = code.filter(each => each.code !== '');
  if (known.length === 0) {
    return null;
  }
  const parts = known.flatMap(each => [
    element('p', { class: 'dp-Task-file' }, element('bdi', { text: trans.__('%1, line %2', oneLine(each.file), each.line) })),
    block(each.code)
  ]);
  return section(trans.__('Code that made it'), '', ...parts);
}

/**
 * Frames of a running task at a time, and a button to refresh them.
 *
 * @param runs - whether it ran at the last heartbeat of its worker: a coroutine does so without a thread
 */
export function callStackSection(
  stacks: readonly CallStack[] | string,
  at: Seconds,
  runs: boolean,
  renew: () => void,
  { trans }: Pen
): HTMLElement {
  const button = element('button', { class: 'dp-Button', text: trans.__('Look again'), onClick: renew });
  const nothing = runs
    ? trans.__(
        'No thread runs it at this moment: it has just ended, or is a coroutine, which runs in the event loop of its worker.'
      )
    : trans.__('It is not running at this moment: it may wait on its worker for a thread or for data.');
  return section(
    trans.__('Call stack'),
    trans.__('as of %1', formatWallClock(at)),
    ...stackParts(stacks, nothing, false),
    button
  );
}

/**
 * Frames of running tasks, or why there are none.
 *
 * @param stacks - a text if they could not be read
 * @param named - whether the key of each task is above its frames
 */
export function stackParts(stacks: readonly CallStack[] | string, nothing: string, named: boolean): readonly HTMLElement[] {
  if (typeof stacks === 'string' || stacks.length === 0) {
    return [element('p', { text: typeof stacks === 'string' ? stacks : nothing })];
  }
  return stacks.flatMap(({ key, frames }) => [
    ...(named ? [element('p', { class: 'dp-Task-file' }, element('bdi', { text: oneLine(key) }))] : []),
    block(frames)
  ]);
}

/** A title with a count above its content. */
function section(title: string, count: string, ...content: readonly HTMLElement[]): HTMLElement {
  return element(
    'section',
    { class: 'dp-Task-section' },
    element('h3', {}, title, ...(count === '' ? [] : [element('span', { class: 'dp-Task-count', text: count })])),
    ...content
  );
}

function block(text: string): HTMLElement {
  return element('pre', { class: 'dp-Task-block', text, attributes: { tabindex: '0' } });
}
