import { expect, test } from 'vitest';
import { Run } from '../../../src/run/run';
import { debugLine } from '../../../src/selectors/errors/debug';

test.each([
  ['load-1', 'client.recreate_task_locally("load-1")'],
  // Of a collection: a tuple, as Python writes it.
  ["('sum-4f', 0, -2)", "client.recreate_task_locally(('sum-4f', 0, -2))"],
  ["('one',)", "client.recreate_task_locally(('one',))"],
  ['say "hi"\n', 'client.recreate_task_locally("say \\"hi\\"\\n")'],
  // Nothing of a hostile key is code.
  ["(__import__('os').getpid(),)", 'client.recreate_task_locally("(__import__(\'os\').getpid(),)")'],
  ["('a' + x, 0)", 'client.recreate_task_locally("(\'a\' + x, 0)")'],
  ["('a\u202e', 0)", 'client.recreate_task_locally("(\'a\\u202e\', 0)")'],
  // Unknown, or too long to be whole.
  ['', ''],
  ['x'.repeat(301), '']
])('the line that runs %j again in a notebook', (key, line) => {
  expect(debugLine(new Run(), key)).toBe(line);
});

test('no line is offered where Dask cannot run it: scheduler and client share a process', () => {
  const run = new Run();
  run.workerNames.push({ address: 'inproc://10.0.0.1/1/2', name: 'a', host: '', nthreads: 1, memory_limit: 0 });
  expect(debugLine(run, 'load-1')).toBe('');
});
