import type { Decision, Records } from '@longhaul/mcp-features';
import { describe, expect, it } from 'vitest';
import {
  addObservations,
  createEntities,
  createRelations,
  deleteEntities,
  deleteObservations,
  deleteRelations,
  type Entity,
  graphOf,
  openNodes,
  type Relation,
  searchNodes,
} from './graph.js';
import { answerable, pageOf } from './graph-page.js';

const entity = (name: string, ...observations: string[]): Entity => ({ name, entityType: 'thing', observations });
const relation = (from: string, to: string, relationType = 'knows'): Relation => ({ from, to, relationType });

/** Records that decisions are carried out on. */
function recordsWith(...entities: readonly Entity[]) {
  const records = new Map<string, never>();
  const apply = <T>(decide: (records: Records) => Decision<T>): T => {
    const { changes, result } = decide(records);
    for (const { id, value } of changes) {
      if (value === undefined) records.delete(id);
      else records.set(id, value as never);
    }
    return result;
  };
  apply((present) => createEntities(present, entities));
  return { records, apply };
}

const namesIn = (records: Records): string[] => graphOf(records).entities.map(({ name }) => name);

describe('a knowledge graph', () => {
  it('creates the entities that it has not, of several with one name the first one', () => {
    const { records, apply } = recordsWith(entity('a', 'old'));
    const created = apply((all) => createEntities(all, [entity('a', 'new'), entity('b', 'first'), entity('b', 'second'), entity('c')]));
    expect(created).toEqual([entity('b', 'first'), entity('c')]);
    expect(graphOf(records).entities).toEqual([entity('a', 'old'), entity('b', 'first'), entity('c')]);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'x'.repeat(10_000), 'a\ud800'])(
    'has an entity whose name is %j',
    (name) => {
      const { records, apply } = recordsWith(entity(name, 'here'), entity('other'));
      expect(apply((all) => createRelations(all, [relation(name, 'other', name)]))).toEqual([relation(name, 'other', name)]);
      expect(apply((all) => addObservations(all, [{ entityName: name, contents: ['more'] }]))[0]?.addedObservations).toEqual(['more']);
      expect(openNodes(records, [name])).toEqual({ entities: [entity(name, 'here', 'more')], relations: [relation(name, 'other', name)] });
      expect(() => createRelations(records, [relation('valueOf', 'other')])).toThrow('Entity with name valueOf not found');
      apply((all) => deleteEntities(all, [name]));
      expect(graphOf(records)).toEqual({ entities: [entity('other')], relations: [] });
    },
  );

  it('creates relations once, and none at all if an entity is missing', () => {
    const { records, apply } = recordsWith(entity('a'), entity('b'));
    const both = [relation('a', 'b'), relation('b', 'a'), relation('a', 'b')];
    expect(apply((all) => createRelations(all, both))).toEqual([relation('a', 'b'), relation('b', 'a')]);
    expect(apply((all) => createRelations(all, [relation('a', 'b'), relation('a', 'b', 'likes')]))).toEqual([relation('a', 'b', 'likes')]);
    for (const missing of [relation('a', 'c'), relation('c', 'a')])
      expect(() => createRelations(records, [relation('b', 'b'), missing])).toThrow('Entity with name c not found');
    expect(graphOf(records).relations).toHaveLength(3);
  });

  it('adds the observations that an entity has not, and none at all if an entity is missing', () => {
    const { records, apply } = recordsWith(entity('a', 'one'), entity('b'));
    const additions = [
      { entityName: 'a', contents: ['one', 'two'] },
      { entityName: 'b', contents: [] },
      { entityName: 'a', contents: ['two', 'three'] },
    ];
    expect(apply((all) => addObservations(all, additions))).toEqual([
      { entityName: 'a', addedObservations: ['two'] },
      { entityName: 'b', addedObservations: [] },
      { entityName: 'a', addedObservations: ['three'] },
    ]);
    expect(() => addObservations(records, [...additions, { entityName: 'c', contents: [] }])).toThrow('Entity with name c not found');
    expect(graphOf(records).entities).toEqual([entity('a', 'one', 'two', 'three'), entity('b')]);
  });

  it('deletes what is there, and keeps the order of the rest', () => {
    const { records, apply } = recordsWith(entity('a', 'one', 'two', 'one'), entity('b'), entity('c'));
    apply((all) => createRelations(all, [relation('a', 'b'), relation('b', 'c'), relation('c', 'a')]));
    apply((all) => deleteRelations(all, [relation('c', 'a'), relation('c', 'c'), relation('c', 'a')]));
    const gone = ['one', 'none'];
    apply((all) =>
      deleteObservations(all, [
        { entityName: 'a', observations: gone },
        { entityName: 'missing', observations: gone },
      ]),
    );
    expect(graphOf(records)).toEqual({
      entities: [entity('a', 'two'), entity('b'), entity('c')],
      relations: [relation('a', 'b'), relation('b', 'c')],
    });
    apply((all) => deleteEntities(all, ['a', 'missing']));
    apply((all) => createEntities(all, [entity('a')]));
    expect(namesIn(records)).toEqual(['b', 'c', 'a']);
    expect(graphOf(records).relations).toEqual([relation('b', 'c')]);
  });

  it('finds a text in names, types and observations, in upper or lower case, with relations at either end', () => {
    const { records, apply } = recordsWith(
      entity('Ada'),
      { ...entity('b'), entityType: 'ADAPTER' },
      entity('c', 'knows adam'),
      entity('d'),
    );
    apply((all) => createRelations(all, [relation('d', 'Ada'), relation('d', 'd')]));
    const found = searchNodes(records, 'aDa');
    expect(found.entities.map(({ name }) => name)).toEqual(['Ada', 'b', 'c']);
    expect(found.relations).toEqual([relation('d', 'Ada')]);
    expect(searchNodes(records, '').entities).toHaveLength(4);
    expect(searchNodes(records, 'nobody')).toEqual({ entities: [], relations: [] });
  });

  it('changes nothing where there is nothing to change', () => {
    const { records } = recordsWith(entity('a', 'one'));
    const decisions = [
      createEntities(records, [entity('a')]),
      addObservations(records, [{ entityName: 'a', contents: ['one'] }]),
      deleteEntities(records, ['b']),
      deleteObservations(records, [{ entityName: 'a', observations: ['two'] }]),
      deleteRelations(records, [relation('a', 'a')]),
    ];
    expect(decisions.flatMap(({ changes }) => changes)).toEqual([]);
  });
});

describe('the pages of a graph', () => {
  it('have all of it, entities before relations, and end', () => {
    const { records, apply } = recordsWith(...['a', 'b', 'c'].map((name) => entity(name)));
    apply((all) => createRelations(all, [relation('a', 'b'), relation('b', 'c')]));
    apply((all) => createEntities(all, [entity('d')]));
    const pages = [pageOf(records, 3)];
    for (let cursor = pages[0]?.nextCursor; cursor !== undefined; cursor = pages.at(-1)?.nextCursor) pages.push(pageOf(records, 3, cursor));
    expect(pages.map(({ entities, relations }) => [entities.length, relations.length])).toEqual([
      [3, 0],
      [1, 2],
    ]);
    expect(pages.flatMap(({ entities }) => entities)).toEqual(graphOf(records).entities);
    expect(pages.flatMap(({ relations }) => relations)).toEqual(graphOf(records).relations);
    expect(pageOf(records, 6).nextCursor).toBeUndefined();
  });

  it('say so when the place is gone where they were to go on', () => {
    const { records, apply } = recordsWith(entity('a'), entity('b'));
    const { nextCursor } = pageOf(records, 1);
    expect(nextCursor).toBeDefined();
    apply((all) => deleteEntities(all, ['a']));
    for (const cursor of [nextCursor, 'no cursor', '']) expect(() => pageOf(records, 1, cursor)).toThrow('There is no such cursor');
  });
});

it('is answered up to 4 MiB, and in pages beyond that', () => {
  const large = Array.from({ length: 5 }, (_, number) => entity(`e${number}`, 'x'.repeat(1024 * 1024)));
  const { records } = recordsWith(...large);
  expect(() => answerable(graphOf(records))).toThrow('more than 4 MiB of the graph');
  expect(answerable(pageOf(records, 3)).entities).toHaveLength(3);
});
