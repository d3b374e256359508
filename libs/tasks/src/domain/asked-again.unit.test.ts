import { describe, expect, it } from 'vitest';
import { askedAgain, presentParams } from './asked-again.js';

describe('a question that is asked again', () => {
  it('begins with what was wrong with the answer', () => {
    expect(askedAgain({ message: 'How many?', mode: 'form' }, 'The field "count" must be a whole number.')).toEqual({
      message: 'The field "count" must be a whole number.\n\nHow many?',
      mode: 'form',
    });
  });

  it('says what was wrong where it said nothing before', () => {
    expect(presentParams({ params: { mode: 'form' }, refused: { times: 1, reason: 'Wrong.' } })).toEqual({
      mode: 'form',
      message: 'Wrong.',
    });
  });

  it('is as it was while no answer was refused', () => {
    expect(presentParams({ params: { message: 'How many?' } })).toEqual({ message: 'How many?' });
  });
});
