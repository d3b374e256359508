import type { JsonObject } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { questionPage } from './question-page.js';

const pageOf = (field: JsonObject): string =>
  questionPage(
    { server: 'Server', tool: 'tool' },
    {
      key: 'k',
      method: 'elicitation/create',
      askedAt: 0,
      params: { message: 'Well?', requestedSchema: { type: 'object', properties: { it: field } } },
    },
  );

describe('a question', () => {
  it.each<[string, JsonObject]>([
    ['a default', { type: 'string', default: '\u6f22'.repeat(20_000) }],
    ['choices', { type: 'array', items: { enum: Array.from({ length: 200 }, (_, at) => `${at}${'\u6f22'.repeat(100)}`) } }],
  ])('whose values no browser could send back is not shown: %s', (_what, field) => {
    expect(pageOf(field)).toContain('too large for a page');
  });

  it('with a long text that nobody sends back is shown', () => {
    expect(pageOf({ type: 'string', description: '\u6f22'.repeat(100_000) })).toContain('<input type="text" name="field-0"');
  });
});
