import type { JsonObject } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { formControls, postedContent, postedForm } from './answer-form.js';
import { formFieldsOf } from './form-fields.js';

const fieldsOf = (properties: JsonObject, required: readonly string[] = []) => formFieldsOf({ type: 'object', properties, required });
/** The content of an answer to a form of one field, whose control is sent with these values. */
const contentOf = (field: JsonObject, values: readonly string[], required: readonly string[] = []): JsonObject =>
  postedContent(
    fieldsOf({ it: field }, required),
    postedForm(new URLSearchParams(values.map((value): [string, string] => ['field-0', value])).toString()),
  );

describe('what a browser sends', () => {
  it.each<[string, JsonObject, readonly string[], unknown]>([
    ['a text', { type: 'string' }, ['Ada'], 'Ada'],
    ['lines', { type: 'string' }, ['a\r\nb'], 'a\nb'],
    ['nothing', { type: 'string' }, [''], undefined],
    ['a number, which is checked later', { type: 'integer' }, ['7'], '7'],
    ['no number', { type: 'number' }, [''], undefined],
    ['a checked box', { type: 'boolean' }, ['true'], true],
    ['an unchecked box', { type: 'boolean' }, [], false],
    ['a time', { type: 'string', format: 'date-time' }, ['2026-01-31T12:00'], '2026-01-31T12:00:00Z'],
    ['a time with seconds', { type: 'string', format: 'date-time' }, ['2026-01-31T12:00:05.25'], '2026-01-31T12:00:05.25Z'],
    [
      'a time of a browser without such a control',
      { type: 'string', format: 'date-time' },
      ['2026-01-31T12:00:00+02:00'],
      '2026-01-31T12:00:00+02:00',
    ],
    ['a choice', { type: 'string', enum: ['a', 'b'] }, ['b'], 'b'],
    ['no choice', { type: 'string', oneOf: [{ const: 'a' }] }, [''], undefined],
    ['several choices', { type: 'array', items: { enum: ['a', 'b'] } }, ['a', 'b'], ['a', 'b']],
    ['no choices', { type: 'array', items: { enum: ['a'] }, default: ['a'] }, [], []],
    ['no choices where some are needed, if any', { type: 'array', items: { enum: ['a'] }, minItems: 1 }, [], undefined],
    ['a text in each line', { type: 'array', items: { type: 'string' } }, [' a\r\n\r\nb '], [' a', 'b ']],
    ['any value of a field of no known kind', { type: 'object' }, ['x'], 'x'],
  ])('is read as it is meant: %s', (_what, field, values, meant) => {
    expect(contentOf(field, values)['it']).toEqual(meant);
  });

  it('is sent where a field is required, also empty', () => {
    expect(contentOf({ type: 'string' }, [''], ['it'])).toEqual({ it: '' });
    expect(contentOf({ type: 'array', items: { enum: ['a'] }, minItems: 1 }, [], ['it'])).toEqual({ it: [] });
  });

  it('has fields by their place, whatever their names are', () => {
    const fields = fieldsOf(
      JSON.parse('{"__proto__":{"type":"string"},"_charset_":{"type":"string"},"action":{"type":"string"}}') as JsonObject,
    );
    const posted = postedForm('field-0=a&field-1=b&field-2=c&__proto__=x&action=accept');
    expect(Object.entries(postedContent(fields, posted))).toEqual([
      ['__proto__', 'a'],
      ['_charset_', 'b'],
      ['action', 'c'],
    ]);
  });
});

describe('the controls of a form', () => {
  const shown = (field: JsonObject, posted?: string): string =>
    formControls(fieldsOf({ it: field }), { posted: posted === undefined ? undefined : postedForm(posted) })
      .map(({ text }) => text)
      .join('');

  it.each<[JsonObject, string]>([
    [{ type: 'string', format: 'email', default: 'a@b' }, '<input type="email" name="field-0" value="a@b">'],
    [{ type: 'string', format: 'constructor' }, '<input type="text" name="field-0" value="">'],
    [{ type: 'string', format: 'date-time', default: '2026-01-31T12:00:00+02:00' }, 'value="2026-01-31T10:00:00" step="1"'],
    [{ type: 'string', format: 'date-time', default: 'soon' }, 'value="" step="1"'],
    [{ type: 'number', default: 0 }, '<input type="number" name="field-0" value="0" step="any">'],
    [{ type: 'integer', default: { no: 'number' } }, 'value="" step="1"'],
    [{ type: 'array', items: { type: 'string' }, default: ['a', 7, 'b'] }, '<textarea name="field-0" rows="4">\na\nb</textarea>'],
    [{ type: 'string', default: `\n${'x'.repeat(100)}` }, `<textarea name="field-0" rows="4">\n\n${'x'.repeat(100)}</textarea>`],
    [{ type: 'string', enum: ['a'], enumNames: ['Apple'], default: 'a' }, '<option value="a" selected>Apple</option>'],
    [{ type: 'string', enum: [7, null, 'a'] }, '<option value="" selected></option><option value="a">a</option>'.replace(' selected', '')],
    [{ title: 7, description: {}, type: 'string' }, '<label>it<input type="text" name="field-0" value=""></label>'],
  ])('show a field and its default: %j', (field, html) => {
    expect(shown(field)).toContain(html);
  });

  it('show what was entered in place of the default', () => {
    expect(shown({ type: 'string', default: 'before' }, 'field-0=after')).toContain('value="after"');
    expect(shown({ type: 'boolean', default: true }, '')).not.toContain('checked');
    expect(shown({ type: 'string', enum: ['a', 'b'], default: 'a' }, 'field-0=b')).toContain('<option value="b" selected>');
  });

  it.each([undefined, null, 7, [], { properties: [] }, { properties: null }])('are none of a schema that is %j', (schema) => {
    expect(formFieldsOf(schema)).toEqual([]);
  });
});
