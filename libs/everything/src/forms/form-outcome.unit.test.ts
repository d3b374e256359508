import { describe, expect, it } from 'vitest';
import { formOutcome } from './form-outcome.js';

const words = { accepted: 'yes', declined: 'no', cancelled: 'gone', labels: { name: 'Name', check: 'Agreed' }, closing: 'raw' };
const textsOf = (answer: Record<string, unknown>) => formOutcome(answer, words).content.map((item) => item.type === 'text' && item.text);

describe('the outcome of a form', () => {
  it.each<[Record<string, unknown>, string[]]>([
    [{ action: 'accept', content: { check: false, name: 'Ada', other: 1 } }, ['yes', 'User inputs:\n- Name: Ada\n- Agreed: false', 'raw']],
    [{ action: 'accept', content: { name: '', check: 0 } }, ['yes', 'User inputs:\n- Agreed: 0', 'raw']],
    [{ action: 'accept', content: {} }, ['yes', 'User inputs:\n', 'raw']],
    [{ action: 'accept' }, ['raw']],
    [{ action: 'decline' }, ['no', 'raw']],
    [{ action: 'cancel' }, ['gone', 'raw']],
    [{ action: 'shrug' }, ['raw']],
    [{}, ['raw']],
  ])('of %j is described', (answer, texts) => {
    expect(textsOf(answer)).toEqual(texts);
  });
});
