import { describe, expect, expectTypeOf, it } from 'vitest';
import { defineResourceTemplate, type UriVariables, type VariableNames } from './define-resource-template.js';
import type { RequestContext } from './request-context.js';
import type { ResourceReturn } from './resource-result.js';

const context = { signal: new AbortController().signal } as RequestContext;

const forecast = defineResourceTemplate({
  uriTemplate: 'weather://{city}/{day}',
  name: 'forecast',
  title: 'Forecast',
  description: 'The weather of a city',
  mimeType: 'text/plain',
  annotations: { priority: 1 },
  needs: ['roots'],
  needsSession: true,
  complete: { city: (value) => [`${value}lo`] },
  read: ({ city, day }) => `${city} on ${day}`,
});

/** A template that makes its resources from the URI alone. */
const of = (uriTemplate: string) => defineResourceTemplate({ uriTemplate, name: 'any', read: (_variables, _context, uri) => uri });

describe('a resource template', () => {
  it('is listed by what it says of itself, without its needs and functions', () => {
    expect(forecast.listing).toEqual({
      uriTemplate: 'weather://{city}/{day}',
      name: 'forecast',
      title: 'Forecast',
      description: 'The weather of a city',
      mimeType: 'text/plain',
      annotations: { priority: 1 },
    });
    expect(forecast).toMatchObject({ kind: 'resource-template', needs: ['roots'], needsSession: true, isListed: true });
  });

  it('needs nothing, completes nothing and lists nothing unless it says so', () => {
    expect(of('a://{b}')).toMatchObject({ needs: [], needsSession: false, isListed: true, completers: {}, list: undefined });
  });

  it('can stay out of the list of templates', () => {
    const hidden = defineResourceTemplate({ uriTemplate: 'a://{b}', name: 'hidden', isListed: false, read: () => '' });
    expect(hidden.isListed).toBe(false);
    expect(hidden.listing).not.toHaveProperty('isListed');
  });

  it('completes its variables', async () => {
    expect(await forecast.completers['city']?.('Os', {}, context)).toEqual(['Oslo']);
  });

  it('lists its resources by the context', async () => {
    const template = defineResourceTemplate({
      uriTemplate: 'a://{b}',
      name: 'listed',
      list: ({ signal }) => [{ uri: 'a://1', name: String(signal.aborted) }],
      read: () => '',
    });
    expect(await template.list?.(context)).toEqual([{ uri: 'a://1', name: 'false' }]);
  });
});

describe('the variables of a URI', () => {
  it.each<[string, string, Record<string, string> | undefined]>([
    ['weather://{city}/{day}', 'weather://oslo/monday', { city: 'oslo', day: 'monday' }],
    ['weather://{city}/{day}', 'weather://S%C3%A3o%20Paulo/a%2Fb', { city: 'São Paulo', day: 'a/b' }],
    ['weather://{city}/{day}', 'weather://oslo', undefined],
    ['weather://{city}/{day}', 'weather://oslo/monday/noon', undefined],
    ['weather://{city}/{day}', 'tides://oslo/monday', undefined],
    ['file:///{+path}', 'file:///a/b%20c.txt', { path: 'a/b c.txt' }],
    ['search://all{?q,from}', 'search://all?q=a%26b&from=2', { q: 'a&b', from: '2' }],
    ['tags://{names*}', 'tags://a,b%2Cc', { names: 'a,b,c' }],
    ['a://{b}{/c}', 'a://1/2', { b: '1', c: '2' }],
    ['a.b://{c}', 'axb://1', undefined],
  ])('of %s in %s are %j', (uriTemplate, uri, variables) => {
    expect(of(uriTemplate).match(uri)).toEqual(variables);
  });

  it.each(['%', '%E3', '%zz', 'a%E3%81'])('are none where an escape is broken: "%s"', (broken) => {
    expect(of('a://{b}').match(`a://${broken}`)).toBeUndefined();
  });

  it('have the type of their names', () => {
    expectTypeOf<VariableNames<'weather://{city}/{day}'>>().toEqualTypeOf<'city' | 'day'>();
    expectTypeOf<VariableNames<'file:///{+path}'>>().toEqualTypeOf<'path'>();
    expectTypeOf<VariableNames<'search://{where}{?q,from}'>>().toEqualTypeOf<'where' | 'q' | 'from'>();
    expectTypeOf<VariableNames<'tags://{names*}'>>().toEqualTypeOf<'names'>();
    expectTypeOf<VariableNames<'all://'>>().toEqualTypeOf<never>();
    defineResourceTemplate({
      uriTemplate: 'weather://{city}/{day}',
      name: 'typed',
      // @ts-expect-error -- a variable that is not in the template
      complete: { town: () => [] },
      read(variables) {
        expectTypeOf(variables).toEqualTypeOf<UriVariables<'city' | 'day'>>();
        return '';
      },
    });
  });
});

describe('reading a resource of a template', () => {
  const reading = (value: ResourceReturn | undefined, mimeType?: string) =>
    defineResourceTemplate({ uriTemplate: 'a://{b}', name: 'a', ...(mimeType !== undefined && { mimeType }), read: () => value });
  const read = (value: ResourceReturn | undefined, mimeType?: string) => reading(value, mimeType).read({ b: '1' }, context, 'a://1');

  it.each<[string, ResourceReturn, object]>([
    ['a text', 'text', { mimeType: 'text/plain', text: 'text' }],
    ['bytes', Buffer.from('bytes'), { mimeType: 'application/octet-stream', blob: 'Ynl0ZXM=' }],
    ['a value', { one: 1 }, { mimeType: 'application/json', text: '{"one":1}' }],
  ])('gives %s under its URI', async (_what, value, content) => {
    expect(await read(value)).toEqual({ contents: [{ uri: 'a://1', ...content }] });
    expect(await read(value, 'text/html')).toMatchObject({ contents: [{ mimeType: 'text/html' }] });
  });

  it('gives a full result as it is', async () => {
    const result = { contents: [{ uri: 'a://other', text: 'other' }] };
    expect(await read(result)).toBe(result);
  });

  it('gives nothing where there is nothing', async () => {
    expect(await read(undefined)).toBeUndefined();
  });

  it('hands on the variables, the context and the URI', async () => {
    const template = defineResourceTemplate({
      uriTemplate: 'a://{b}',
      name: 'a',
      read: ({ b }, { signal }, uri) => Promise.resolve(`${b} ${signal.aborted} ${uri}`),
    });
    expect(await template.read({ b: '1' }, context, 'a://1')).toMatchObject({ contents: [{ text: '1 false a://1' }] });
  });
});

describe('a template that cannot be read', () => {
  it.each([
    ['a://{b', '{b is not closed.'],
    ['a://{b}/{c', '{c is not closed.'],
    ['a://b', 'it has no variables.'],
    ['a://{b,c}', '{b,c} has several variables; write an expression for each.'],
  ])('is refused: %s', (uriTemplate, reason) => {
    expect(() => of(uriTemplate)).toThrow(new RangeError(`URI template "${uriTemplate}": ${reason}`));
  });
});
