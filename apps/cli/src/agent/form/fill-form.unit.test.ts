import { describe, expect, it } from 'vitest';
import type { FieldSchema } from './field.js';
import { fillForm } from './fill-form.js';

/** Fills in a form by typing lines; after the last one the terminal is closed. */
async function fill(properties: Record<string, FieldSchema>, typed: readonly string[], required: string[] = Object.keys(properties)) {
  const left = [...typed];
  const seen: string[] = [];
  const person = {
    say: (line: string) => void seen.push(line),
    ask: (prompt: string) => {
      seen.push(prompt);
      return Promise.resolve(left.shift());
    },
  };
  const result = await fillForm({ type: 'object', properties, required }, person);
  return { result, seen: seen.join('\n'), left };
}

/** The value of one field from a line, after which the form is sent; or the message about the line. */
async function value(schema: FieldSchema, typed: string): Promise<unknown> {
  const { result, seen } = await fill({ field: schema }, [typed, 'y', '/cancel']);
  return result.action === 'accept' ? result.content?.['field'] : /It has.*|".*" is not.*|An answer.*/.exec(seen)?.[0];
}

describe('a form', () => {
  it('has its fields asked one after the other, is shown and sent', async () => {
    const { result, seen, left } = await fill(
      { name: { type: 'string', title: 'Your name', description: 'As on the letter' }, age: { type: 'integer', minimum: 0, maximum: 150 } },
      ['Ada', '36', ''],
    );
    expect(result).toEqual({ action: 'accept', content: { name: 'Ada', age: 36 } });
    expect(seen).toContain('Your name: As on the letter\n  a text: ');
    expect(seen).toContain('age\n  a whole number from 0 to 150: ');
    expect(seen).toContain('{"name":"Ada","age":36}');
    expect(left).toEqual([]);
  });

  it('without fields is only to be sent or not', async () => {
    expect((await fill({}, ['y'])).result).toEqual({ action: 'accept', content: {} });
    expect((await fill({}, ['n'])).result).toEqual({ action: 'decline' });
  });

  it.each(['/decline', '/cancel'] as const)('is left by %s, at each field and in the end', async (word) => {
    const action = word.slice(1);
    const properties = { a: { type: 'string' }, b: { type: 'boolean' } } as const;
    expect((await fill(properties, [word])).result).toEqual({ action });
    expect((await fill(properties, ['x', ` ${word} `])).result).toEqual({ action });
    expect((await fill(properties, ['x', 'y', word])).result).toEqual({ action });
  });

  it('is cancelled when the terminal is closed', async () => {
    expect((await fill({ a: { type: 'string' } }, [])).result).toEqual({ action: 'cancel' });
    expect((await fill({ a: { type: 'string' } }, ['x'])).result).toEqual({ action: 'cancel' });
  });

  it('can be filled in again', async () => {
    const { result } = await fill({ a: { type: 'string' } }, ['first', 'e', 'second', 'what', 'yes']);
    expect(result).toEqual({ action: 'accept', content: { a: 'second' } });
  });

  it('with a field of another kind is cancelled, and says so', async () => {
    const { result, seen } = await fill({ a: { type: 'object' } as unknown as FieldSchema }, ['x', 'y']);
    expect(result).toEqual({ action: 'cancel' });
    expect(seen).toContain('"a" is no text, number, yes or no, or choice');
  });

  it('takes for an answer what JavaScript has a name for', async () => {
    expect(await value({ type: 'string' }, 'constructor')).toBe('constructor');
    expect(await value({ type: 'string', format: 'constructor' as never }, 'x')).toBe('x');
  });
});

describe('an empty line', () => {
  it('stands for the default', async () => {
    const { result, seen } = await fill(
      {
        text: { type: 'string', default: 'here' },
        sure: { type: 'boolean', default: false },
        count: { type: 'number', default: 0 },
        one: { type: 'string', enum: ['a', 'b'], default: 'b' },
        some: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, default: ['a', 'b'] },
      },
      ['', '', '', '', '', 'y'],
    );
    expect(result.content).toEqual({ text: 'here', sure: false, count: 0, one: 'b', some: ['a', 'b'] });
    expect(seen).toContain('a text [here]: ');
    expect(seen).toContain('yes or no [no]: ');
    expect(seen).toContain('[a, b]: ');
  });

  it('leaves out a field that need not be filled in', async () => {
    const { result, seen } = await fill({ a: { type: 'string' }, b: { type: 'number' } }, ['', '', 'y'], []);
    expect(result).toEqual({ action: 'accept', content: {} });
    expect(seen).toContain('a (may be left empty)');
  });

  it('is asked again where an answer is needed', async () => {
    const { result, seen } = await fill({ a: { type: 'string' } }, ['', '  ', 'x', 'y']);
    expect(result.content).toEqual({ a: 'x' });
    expect(seen.match(/An answer is needed/g)).toHaveLength(2);
  });
});

describe('what is typed into a field', () => {
  const [one, many] = [
    {
      type: 'string',
      oneOf: [
        { const: 'r', title: 'Red' },
        { const: '1', title: 'One' },
      ],
    },
    {
      type: 'array',
      minItems: 1,
      maxItems: 2,
      items: {
        type: 'string',
        anyOf: [
          { const: 'a', title: 'A a' },
          { const: 'b', title: 'B b' },
          { const: 'c', title: 'C c' },
        ],
      },
    },
  ] as const satisfies readonly FieldSchema[];
  it.each<[FieldSchema, string, unknown]>([
    [{ type: 'string', minLength: 2, maxLength: 3 }, '🎉', 'It has to be a text of from 2 to 3 characters.'],
    [{ type: 'string', minLength: 2, maxLength: 3 }, '🎉🎉🎉', '🎉🎉🎉'],
    [{ type: 'string', minLength: 2 }, 'a', 'It has to be a text of at least 2 characters.'],
    [{ type: 'string', maxLength: 2 }, 'abc', 'It has to be a text of at most 2 characters.'],
    [{ type: 'string', format: 'email' }, 'ada@example.com', 'ada@example.com'],
    [{ type: 'string', format: 'email' }, 'ada@', 'It has to be an e-mail address.'],
    [{ type: 'string', format: 'uri' }, 'https://example.com/x', 'https://example.com/x'],
    [{ type: 'string', format: 'uri' }, 'example.com', 'It has to be a URI, such as https://example.com.'],
    [{ type: 'string', format: 'date' }, '2024-02-29', '2024-02-29'],
    [{ type: 'string', format: 'date' }, '2023-02-29', 'It has to be a date, such as 2026-01-31.'],
    [{ type: 'string', format: 'date' }, '29.2.2024', 'It has to be a date, such as 2026-01-31.'],
    [{ type: 'string', format: 'date-time' }, '2024-02-29T12:00:00+09:00', '2024-02-29T12:00:00+09:00'],
    [{ type: 'string', format: 'date-time' }, '2024-02-29', 'It has to be a date with time, such as 2026-01-31T12:00:00Z.'],
    [{ type: 'string', format: 'date-time' }, '2024-02-30T12:00:00Z', 'It has to be a date with time, such as 2026-01-31T12:00:00Z.'],
    [{ type: 'integer' }, '-7', -7],
    [{ type: 'integer' }, '1.5', 'It has to be a whole number.'],
    [{ type: 'number' }, '1.5', 1.5],
    [{ type: 'number' }, '.5e1', 5],
    [{ type: 'number' }, '0x10', 'It has to be a number.'],
    [{ type: 'number' }, '1e999', 'It has to be a number.'],
    [{ type: 'number', minimum: 2 }, '1', 'It has to be a number at least 2.'],
    [{ type: 'number', maximum: 2 }, '3', 'It has to be a number at most 2.'],
    [{ type: 'boolean' }, 'Y', true],
    [{ type: 'boolean' }, 'false', false],
    [{ type: 'boolean' }, 'maybe', 'It has to be yes or no.'],
    [{ type: 'string', enum: ['cold', 'warm'] }, '2', 'warm'],
    [{ type: 'string', enum: ['cold', 'warm'] }, 'Warm', 'warm'],
    [{ type: 'string', enum: ['cold', 'warm'] }, '3', '"3" is not in the list.'],
    [{ type: 'string', enum: ['c', 'w'], enumNames: ['Cold', 'Warm'] }, 'Warm', 'w'],
    [one, 'red', 'r'],
    [one, '1', '1'],
    [many, '3, 1', ['a', 'c']],
    [many, 'b,B b,2', ['b']],
    [many, '1,2,3', 'It has to be from 1 to 2 of them.'],
    [many, '1,d', '"d" is not in the list.'],
  ])('%j takes %j as %j', async (schema, typed, expected) => {
    expect(await value(schema, typed)).toEqual(expected);
  });

  it('shows the choices with numbers', async () => {
    const { seen } = await fill({ many }, ['1', 'y']);
    expect(seen).toContain('1. A a\n  2. B b\n  3. C c\n');
  });
});
