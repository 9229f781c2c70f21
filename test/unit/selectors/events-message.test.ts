/** What is read of an event's message, whole and cut. */
import { describe, expect, it } from 'vitest';
import { itemsOf } from '../../../src/selectors/events/message';

const of = (text: string): Parameters<typeof itemsOf>[0] => ({ time: 0, topic: 'all', action: 'remove-worker', text });

describe('items of a list in a message', () => {
  it.each([
    ['{"action": "remove-worker", "tasks": []}', 0],
    ['{"action": "remove-worker"}', 0],
    ['{"tasks": ["a"], "others": ["b", "c"]}', 1],
    ['{"tasks": ["a, \\"b\\", [c", "d]"], "others": []}', 2],
    ['{"tasks": [["x", 0, 1], ["x", 0, 2], {"a": [1, 2]}], "others": []}', 3],
    ['{"tasks": ["a", "b", "\\u2026 41 more"], "others": []}', 43],
    ['{"tasks": ["a", "b", "c', 3],
    ['{"tasks": [', 0],
    ['{"tasks": ["a\\', 1]
  ])('%s: %d', (text, count) => {
    expect(itemsOf(of(text), 'tasks')).toBe(count);
  });
});
