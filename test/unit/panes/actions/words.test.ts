import type { Scalar } from '../../../../src/feed/frame';
import { describe, expect, it } from 'vitest';
import { type Plan, readClusterStakes, readPlan, readWorkerStakes } from '../../../../src/panes/actions/replies';
import type { Nothing, Question } from '../../../../src/panes/actions/dialog';
import {
  benchmarkQuestion,
  cancelQuestion,
  restartQuestion,
  restartWorkerQuestion,
  retireQuestion,
  retryQuestion,
  trimQuestion
} from '../../../../src/panes/actions/words';
import { cancelledWords, notCancelledWords, notRetriedWords, retriedWords } from '../../../../src/panes/actions/words/done';
import { translate as trans } from '../../translate';

const NOBODY = { count: 0, clients: 0, named: [] };
const PLAN: Plan = {
  plan: 'p',
  tasks: 0,
  direct: 0,
  results: 0,
  keys: [],
  shared: 0,
  others: NOBODY,
  otherKeys: [],
  left: 0
};
const WORKER = { workers: 4, adaptive: false, name: 'w1', nanny: true, only: 0, actors: 0, processing: 0, givenUp: 0 };
const MAP = { kind: 'function', prefix: 'inc' } as const;

const text = ({ sentences }: Question | Nothing): string => sentences.join(' ');
const accepts = (question: Question | Nothing): boolean => 'accept' in question;

it('measuring a single worker does not promise a transfer: there is no other worker', () => {
  const stakes = { nannies: 1, results: 0, pending: 0, erred: 0, clients: NOBODY };
  expect(text(benchmarkQuestion('C', { ...stakes, workers: 1 }, trans))).toContain('Sending is not measured');
  expect(text(benchmarkQuestion('C', { ...stakes, workers: 2 }, trans))).toContain('sends to another worker');
});

describe('retiring a worker', () => {
  it('says what moves, what is computed again, and what may follow', () => {
    const asked = retireQuestion({ ...WORKER, only: 1, processing: 2 }, trans);
    expect(asked.title).toBe('Retire worker w1?');
    expect(text(asked)).toBe(
      '1 result is only there. It moves to another worker first; if none has room for it, the worker stays. ' +
        '2 tasks are assigned to it. Those that have begun are computed again.'
    );
    expect('warns' in asked && asked.warns).toBe(true);
  });

  it('says of the only worker that tasks wait, and of an adaptive cluster that it may start another one', () => {
    const asked = text(retireQuestion({ ...WORKER, workers: 1, adaptive: true }, trans));
    expect(asked).toContain('None of its results has to move.');
    expect(asked).toContain('It is the only worker');
    expect(asked).toContain('may start another one');
  });

  it('is refused for a worker with actors, which cannot move', () => {
    const question = retireQuestion({ ...WORKER, actors: 2 }, trans);
    expect(accepts(question)).toBe(false);
    expect(text(question)).toContain('2 actors live on it, and Dask does not move actors. Release');
  });
});

it('the end of a worker fails tasks that have had all crashes that Dask allows', () => {
  for (const question of [retireQuestion, restartWorkerQuestion]) {
    expect(text(question({ ...WORKER, processing: 3, givenUp: 2 }, trans))).toMatch(
      /^.*3 tasks are assigned to it.* Unless they end before, 2 of these fail instead \(KilledWorker\)/
    );
    expect(text(question({ ...WORKER, processing: 3 }, trans))).not.toContain('KilledWorker');
  }
});

describe('restarting', () => {
  it('is refused for a worker without a nanny, with a remedy', () => {
    const question = restartWorkerQuestion({ ...WORKER, nanny: false }, trans);
    expect(accepts(question)).toBe(false);
    expect(text(question)).toContain('Retire it');
  });

  it('says which results of a worker are lost', () => {
    expect(text(restartWorkerQuestion({ ...WORKER, only: 12_000 }, trans))).toContain(
      '12,000 results are only there and are lost.'
    );
  });

  it('of a cluster names what is lost, and the clients that lose it', () => {
    const clients = { count: 12, clients: 12, named: [['Client-b', 4, true]] as const };
    const asked = restartQuestion('LocalCluster', { workers: 2, nannies: 2, results: 3, pending: 1, erred: 0, clients }, trans);
    expect(text(asked)).toBe(
      'All its 2 workers end and start again. ' +
        'All tasks are lost: 3 results, 1 unfinished task. Variables that hold them cannot be used any more.'
    );
    expect(asked.lists).toEqual([{ title: 'Other clients that lose results', names: ['Client-b: 4 results', 'and 11 more'] }]);
  });

  it('of a cluster whose tasks have all failed says that their errors are lost', () => {
    const none = { workers: 1, nannies: 1, results: 0, pending: 0, erred: 0, clients: NOBODY };
    expect(text(restartQuestion('C', none, trans))).toContain('There are no tasks to lose.');
    const asked = restartQuestion('C', { ...none, erred: 5 }, trans);
    expect(text(asked)).toContain('All tasks are lost: 5 erred tasks. Variables');
    const some = restartQuestion('C', { ...none, results: 66, erred: 4 }, trans);
    expect(text(some)).toContain('All tasks are lost: 66 results, 4 erred tasks. Variables');
  });

  it('of a worker with actors says that they are lost', () => {
    expect(text(restartWorkerQuestion({ ...WORKER, actors: 1 }, trans))).toBe(
      'An actor lives there and is lost: Dask does not make it again.'
    );
    expect(text(restartWorkerQuestion({ ...WORKER, only: 1, actors: 2 }, trans))).toMatch(/^1 result .* 2 actors live there/);
  });

  it('of a cluster whose workers would not come back is refused', () => {
    const question = restartQuestion('C', { workers: 2, nannies: 1, results: 0, pending: 0, erred: 0, clients: NOBODY }, trans);
    expect(accepts(question)).toBe(false);
    expect(text(question)).toContain('1 worker has no nanny');
  });

  it('of a cluster without workers is refused: it would be by the kernel', () => {
    const question = restartQuestion('C', { workers: 0, nannies: 0, results: 0, pending: 2, erred: 0, clients: NOBODY }, trans);
    expect(question).toEqual({ title: 'C cannot be restarted', sentences: ['It has no workers to restart.'], lists: [] });
  });
});

describe('cancelling', () => {
  it('of a function counts the tasks of this client', () => {
    const plan = { ...PLAN, tasks: 20, direct: 20, results: 20, keys: ['inc-1', 'inc-2'] };
    const asked = cancelQuestion(MAP, plan, trans);
    expect(accepts(asked)).toBe(true);
    expect(text(asked)).toContain('20 unfinished tasks that this client wants are cancelled.');
    expect(asked.lists).toEqual([{ title: 'Results of this client', names: ['inc-1', 'inc-2', 'and 18 more'] }]);
  });

  it('of an intermediate task names the results that are lost, and the clients that keep theirs', () => {
    const others = { count: 1, clients: 1, named: [['Client-b', 2, true]] as const };
    const plan = { ...PLAN, tasks: 1, results: 2, keys: ['end', 'sum'], shared: 1, others, otherKeys: ['sum', 'alone'] };
    const asked = cancelQuestion({ kind: 'task', key: 'inc-1', state: 'processing' }, plan, trans);
    expect(asked.title).toBe('Cancel inc-1?');
    expect(text(asked)).toContain('They are intermediate tasks');
    expect(text(asked)).toContain('2 results that need these tasks are cancelled with them.');
    expect(text(asked)).toContain('Others keep their results, so the tasks that these need go on.');
    expect(asked.lists.map(({ title, names }) => [title, ...names])).toEqual([
      ['Results of this client', 'end', 'sum'],
      ['Other clients that want results of these tasks', 'Client-b: 2 results'],
      ['Their results', 'sum', 'alone']
    ]);
  });

  it('says why there is nothing to cancel', () => {
    expect(text(cancelQuestion(MAP, PLAN, trans))).toContain('no unfinished tasks');
    const others = { count: 1, clients: 1, named: [['Client-b', 1, true]] as const };
    const question = cancelQuestion(MAP, { ...PLAN, tasks: 3, others }, trans);
    expect(accepts(question)).toBe(false);
    expect(text(question)).toContain('Cancel it with one of those clients.');
    expect(question.lists).toHaveLength(1);
    expect(text(cancelQuestion(MAP, { ...PLAN, tasks: 3 }, trans))).toContain('drops them by itself');
  });

  it('distinguishes clients from what Dask keeps like clients, with which nothing can be cancelled', () => {
    const others = { count: 1, clients: 0, named: [['variable-mine', 1, false]] as const };
    const question = cancelQuestion(MAP, { ...PLAN, tasks: 1, others, otherKeys: ['inc-1'] }, trans);
    expect(text(question)).toBe(
      'No client wants a result that needs these tasks: what is named below keeps them. ' +
        'Delete the variable, queue or published data set, or cancel the task on a worker that asked for them, and the scheduler drops them.'
    );
    expect(question.lists.map(({ title, names }) => [title, ...names])).toEqual([
      ['Variables, queues, tasks on workers and the like that keep results', 'variable-mine: 1 result'],
      ['Their results', 'inc-1']
    ]);
    expect(text(retryQuestion(MAP, { ...PLAN, tasks: 1, others }, trans))).not.toContain('one of those clients');
    const both = { count: 12, clients: 11, named: [['Client-b', 3, true] as const, ...others.named] };
    expect(cancelQuestion(MAP, { ...PLAN, tasks: 1, others: both }, trans).lists).toEqual([
      { title: 'Other clients that want results of these tasks', names: ['Client-b: 3 results', 'and 10 more'] },
      { title: 'Variables, queues, tasks on workers and the like that keep results', names: ['variable-mine: 1 result'] }
    ]);
  });

  it('says that what has begun keeps its thread', () => {
    expect(text(cancelQuestion(MAP, { ...PLAN, tasks: 1, direct: 1, results: 1, keys: ['a'] }, trans))).toContain(
      'Running tasks run to their end and keep their threads until then'
    );
  });

  it('of more than one plan says that it is a part', () => {
    const plan = { ...PLAN, tasks: 150_000, direct: 100_000, results: 100_000, left: 50_000 };
    expect(text(cancelQuestion(MAP, plan, trans))).toContain('These are the first 100,000; do it again for the other 50,000.');
  });
});

describe('retrying', () => {
  it('counts the erred results, or says that there are none', () => {
    expect(text(retryQuestion(MAP, { ...PLAN, tasks: 5, results: 5 }, trans))).toContain('5 erred results of this client');
    expect(text(retryQuestion(MAP, PLAN, trans))).toBe('It has no erred tasks.');
    expect(accepts(retryQuestion(MAP, { ...PLAN, tasks: 1 }, trans))).toBe(false);
  });
});

describe('what became of a plan', () => {
  it('is said without what did not happen, and with why the rest was left', () => {
    expect([cancelledWords(2, 9, trans), notCancelledWords(0, trans)]).toEqual([
      '2 results were cancelled: 9 tasks were removed.',
      ''
    ]);
    expect([cancelledWords(0, 0, trans), notCancelledWords(6, trans)]).toEqual([
      'No task was cancelled.',
      '6 had ended before that, or this client did not want them any more.'
    ]);
    expect([retriedWords(1, trans), notRetriedWords(1, trans)]).toEqual([
      '1 erred result runs again.',
      '1 ran again already, or this client did not want it any more.'
    ]);
    expect(retriedWords(0, trans)).toBe('No erred result runs again.');
  });
});

describe('names from a cluster', () => {
  it('are short and in one line', () => {
    const key = `a\n<b>${'x'.repeat(10_000)}`;
    const { title } = cancelQuestion({ kind: 'task', key, state: null }, PLAN, trans);
    expect(title.length).toBeLessThan(200);
    expect(title).not.toContain('\n');
    expect(trimQuestion('\u202e evil', trans).title).toContain('evil');
  });
});

describe('answers of a kernel', () => {
  it('that are not what they should be count as nothing', () => {
    const odd: readonly Scalar[] = [
      null,
      3,
      'x',
      [],
      {},
      { worker: 7, others: [1], keys: 'no', clients: { named: [[1], 'x', null] } }
    ];
    for (const value of odd) {
      expect(readWorkerStakes(value).only).toBe(0);
      expect(readPlan(value)).toMatchObject({ plan: '', results: 0, keys: [], others: { count: 0 } });
      expect(readClusterStakes(value).workers).toBe(0);
    }
    expect(readPlan({ results: 2 ** 60, tasks: -1, direct: Number.NaN })).toMatchObject({ results: 0, tasks: 0, direct: 0 });
  });
});
