import type { ModelErrorCode, Outcome, OutcomeName } from '@longhaul/agent';
import { expect, it } from 'vitest';
import { exitCodeOf } from './exit-code.js';

const ended = (outcome: OutcomeName, errorCode?: ModelErrorCode): Outcome => ({
  outcome,
  text: '',
  rounds: 1,
  usage: { inputTokens: 0, outputTokens: 0 },
  transcript: [],
  ...(errorCode !== undefined && { errorCode }),
});

it.each<[Outcome, boolean, number]>([
  [ended('answered'), false, 0],
  [ended('answered'), true, 14],
  [ended('max-rounds'), false, 12],
  [ended('max-rounds'), true, 12],
  [ended('max-tokens'), false, 12],
  [ended('max-spend'), false, 12],
  [ended('max-time'), false, 12],
  [ended('repeated-call'), false, 12],
  [ended('model-error', 'UNAVAILABLE'), false, 6],
  [ended('model-error', 'RATE_LIMITED'), false, 6],
  [ended('model-error', 'TIMEOUT'), false, 6],
  [ended('model-error', 'UNAUTHORIZED'), false, 13],
  [ended('model-error', 'UNKNOWN_MODEL'), false, 13],
  [ended('model-error', 'CONTEXT_OVERFLOW'), false, 13],
  [ended('model-error', 'BAD_RESPONSE'), true, 13],
])('%j, refused: %j, is exit code %i', (outcome, wasRefused, code) => {
  expect(exitCodeOf(outcome, wasRefused)).toBe(code);
});
