import { describe, expect, it } from 'vitest';
import { readGraphFile } from './read-graph-file.js';

const ADA = { name: 'Ada', entityType: 'person', observations: ['Zoë 🎉'] };
const BOB = { name: 'Bob', entityType: 'person', observations: ['one'] };
const KNOWS = { from: 'Ada', to: 'Bob', relationType: 'knows' };

const entity = (value: object): string => JSON.stringify({ type: 'entity', ...value });
const relation = (value: object): string => JSON.stringify({ type: 'relation', ...value });
const LINES = [entity(ADA), entity(BOB), relation(KNOWS)];
const WHOLE = { entities: [ADA, BOB], relations: [KNOWS], repaired: [], setAside: [] };

const read = (...lines: readonly string[]) => readGraphFile(Buffer.from(lines.join('\n')));
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

describe('a file of the reference server', () => {
  it.each<[string, Uint8Array]>([
    ['UTF-8', Buffer.from(LINES.join('\n'))],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${LINES.join('\n')}`)],
    ['UTF-8 with a line break at its end', Buffer.from(`${LINES.join('\n')}\n`)],
    ['UTF-8 with CRLF and empty lines', Buffer.from(`${LINES.join('\r\n\r\n')}\r\n`)],
    ['UTF-8 with zeros after a crash', Buffer.from(`${LINES.join('\n')}\n${'\0'.repeat(4_096)}`)],
    ['UTF-16LE', Buffer.from(LINES.join('\r\n'), 'utf16le')],
    ['UTF-16LE with a byte order mark', Buffer.from(`\ufeff${LINES.join('\r\n')}`, 'utf16le')],
    ['UTF-16BE', utf16be(LINES.join('\n'))],
    ['UTF-16BE with a byte order mark', utf16be(`\ufeff${LINES.join('\n')}`)],
    ['the old form', Buffer.from(JSON.stringify({ entities: [ADA, BOB], relations: [KNOWS] }))],
    ['the old form over several lines', Buffer.from(JSON.stringify({ entities: [ADA, BOB], relations: [KNOWS] }, null, 2))],
    ['the old form, which is continued in the new one', Buffer.from(`${JSON.stringify({ entities: [ADA, BOB] })}\n${LINES[2]}`)],
    ['a JSON list', Buffer.from(`[${LINES.join(',\n')}]`)],
  ])('is read in %s', (_form, bytes) => {
    expect(readGraphFile(bytes)).toEqual(WHOLE);
  });

  it('may have a replacement character as a text', () => {
    expect(read(entity({ ...ADA, observations: ['\ufffd'] })).entities).toEqual([{ ...ADA, observations: ['\ufffd'] }]);
  });

  it('may be empty', () => {
    expect(read('')).toEqual({ entities: [], relations: [], repaired: [], setAside: [] });
  });
});

describe('what can mean one thing only', () => {
  it.each<[string, string, object, string]>([
    ['no observations', entity({ name: 'x', entityType: 't' }), { entityType: 't', observations: [] }, 'it had no observations'],
    ['null for observations', entity({ name: 'x', entityType: 't', observations: null }), {}, 'it had no observations'],
    [
      'one text for observations',
      entity({ name: 'x', entityType: 't', observations: 'one' }),
      { observations: ['one'] },
      'its observations were no list of texts',
    ],
    [
      'numbers among observations',
      entity({ name: 'x', entityType: 't', observations: ['one', 2, true, null] }),
      { observations: ['one', '2', 'true'] },
      'its observations were no list of texts',
    ],
    ['no type', entity({ name: 'x', observations: [] }), { entityType: '' }, 'it had no entityType, which is empty now'],
    ['no last brace', entity({ name: 'x', entityType: 't', observations: [] }).slice(0, -1), {}, 'its last brace was missing'],
  ])('is repaired: %s', (_what, line, fields, what) => {
    expect(read(line, ...LINES)).toEqual({
      ...WHOLE,
      entities: [{ name: 'x', entityType: 't', observations: [], ...fields }, ADA, BOB],
      repaired: [{ where: 'line 1', what }],
    });
  });

  it('is repaired: members that show what a value is', () => {
    expect(read(JSON.stringify(ADA), JSON.stringify(BOB), JSON.stringify(KNOWS))).toEqual(WHOLE);
  });

  it('is repaired: several values on a line, of which the last one is torn', () => {
    const { entities, relations, repaired, setAside } = read(`${LINES.join('')}{"type":"ent`);
    expect({ entities, relations }).toEqual({ entities: [ADA, BOB], relations: [KNOWS] });
    expect(repaired).toEqual([{ where: 'line 1', what: '3 JSON values were on one line' }]);
    expect(setAside).toEqual([{ where: 'line 1', reason: 'it is no JSON', text: '{"type":"ent' }]);
  });

  it('is repaired: an entity that is there twice has the observations of both, at its first place', () => {
    expect(read(...LINES, entity({ ...ADA, observations: ['Zoë 🎉', 'two'] }), relation(KNOWS))).toEqual({
      ...WHOLE,
      entities: [{ ...ADA, observations: ['Zoë 🎉', 'two'] }, BOB],
      repaired: [
        { where: 'line 4', what: 'the same entity is on line 1: they are one now, with the observations of both' },
        { where: 'line 5', what: 'the same relation is on line 3' },
      ],
    });
  });
});

describe('everything else', () => {
  it.each([
    ['a torn line', '{"type":"entity","name":"x","observ', 'it is no JSON'],
    ['a line that is torn before its observations', '{"type":"entity","name":"x","entityType":"t"', 'it is no JSON'],
    ['a line that is torn in a list', '{"type":"entity","name":"x","observations":["a"', 'it is no JSON'],
    ['no JSON', 'Ada,person', 'it is no JSON'],
    ['a value that is no object', '42', 'it is neither an entity nor a relation'],
    ['another type', '{"type":"node","name":"x"}', 'it is neither an entity nor a relation'],
    ['no name', entity({ entityType: 't', observations: [] }), 'it has no name'],
    ['a number for a type', entity({ name: 'x', entityType: 1, observations: [] }), 'its entityType is no text'],
    ['objects for observations', entity({ name: 'x', entityType: 't', observations: [{}] }), 'its observations are no texts'],
    ['half a relation', relation({ from: 'Ada', to: 'Bob' }), 'a relation has the texts from, to and relationType'],
    ['another type for a name', entity({ ...ADA, entityType: 'ship' }), 'an entity of this name and another type is on line 1'],
  ])('is set aside with its line and the reason: %s', (_what, line, reason) => {
    expect(read(...LINES, line)).toEqual({ ...WHOLE, setAside: [{ where: 'line 4', reason, text: line }] });
  });

  it('is set aside where the old form has it', () => {
    const { entities, setAside } = read(JSON.stringify({ entities: [ADA, { entityType: 't' }], relations: [], version: 1 }));
    expect(entities).toEqual([ADA]);
    expect(setAside.map(({ where, reason }) => `${where}: ${reason}`)).toEqual([
      'line 1, entities[1]: it has no name',
      'line 1: it is in the graph without version, which a graph does not keep',
    ]);
  });

  it('is set aside with what it was when a graph does not keep all of it', () => {
    const line = entity({ ...BOB, createdAt: '2024-01-01' });
    const reason = 'it is in the graph without createdAt, which a graph does not keep';
    expect(read(entity(ADA), line, relation(KNOWS))).toEqual({ ...WHOLE, setAside: [{ where: 'line 2', reason, text: line }] });
  });

  it('is set aside when it is cut in a character, and the rest stays what it is', () => {
    const bytes = Buffer.from(`${LINES.join('\n')}\n{"type":"entity","name":"Zoë`);
    const { setAside, ...graph } = readGraphFile(bytes.subarray(0, -1));
    expect({ ...graph, setAside: [] }).toEqual(WHOLE);
    expect(setAside).toMatchObject([{ where: 'line 4', reason: 'it has bytes that are not UTF-8' }]);
  });
});
