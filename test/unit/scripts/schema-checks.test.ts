import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { topicChecks, typeOf } from '../../../scripts/lib/schema-checks.mjs';

const path = new URL('../../../bridge/dask_panes/feed/schema.json', import.meta.url);

interface Spec {
  [name: string]: Spec;
}

describe('the generator of checks', () => {
  const schema = JSON.parse(readFileSync(path, 'utf8')) as Spec & { names: Spec };
  const withTopic = (topic: object): object => ({ ...schema, topics: { new: topic } });

  it('refuses a column, a scalar and a field without a bound', () => {
    const column = { dtype: 'f8', doc: 'x' };
    expect(() => topicChecks(withTopic({ columns: { a: column } }), 'new')).toThrow('column a of topic new states no bound');
    const scalars = { b: 'a sentence' };
    expect(() => topicChecks(withTopic({ columns: {}, scalars }), 'new')).toThrow('b of topic new states no bound');
    const fields = { c: { fields: { d: { doc: 'x' } } } };
    expect(() => topicChecks(withTopic({ columns: {}, scalars: fields }), 'new')).toThrow('d of c of topic new states no bound');
  });

  it('refuses unknown rules, dictionaries and enums', () => {
    for (const bound of [{ is: 'nothing' }, { in: 'nowhere' }, { enum: 'none' }]) {
      const columns = { a: { dtype: 'u1', ...bound } };
      expect(() => topicChecks(withTopic({ columns }), 'new')).toThrow('column a of topic new');
    }
  });

  it('resolves bounds', () => {
    const columns = { a: { dtype: 'u1', enum: 'taskStatus', needed: true }, b: { dtype: 'f4', is: 'share' } };
    expect(topicChecks(withTopic({ columns }), 'new').columns).toEqual({
      a: { float: false, least: 0, most: 1, whole: true, needed: true },
      b: { float: true, least: 0, most: 1, unknown: true }
    });
  });

  it('types facts', () => {
    expect(typeOf({ map: { text: 5 } }, '')).toBe('Readonly<Record<string, string>>');
    expect(typeOf({ is: 'time' }, '')).toBe('number | null');
    expect(typeOf({ text: 5, null: true }, '')).toBe('string | null');
  });
});
