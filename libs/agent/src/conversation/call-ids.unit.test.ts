import { expect, test } from 'vitest';
import type { Message, ToolCall } from './messages.js';
import { callIds, withUniqueIds } from './call-ids.js';

const QUESTION: Message = { role: 'user', content: 'Which day is it?' };

function call(id: string): ToolCall {
  return { id, type: 'function', function: { name: 'get-date', arguments: '{}' } };
}

function idsAfter(rounds: number, calls: number): string[] {
  const answers = Array.from({ length: rounds }, (): Message => ({ role: 'assistant', content: 'Well.' }));
  const idOf = callIds([QUESTION, ...answers]);
  return Array.from({ length: calls }, (_, index) => idOf(index));
}

test('ids say where in the conversation a call stands, so no two are the same, and a replay gives the same', () => {
  expect(idsAfter(0, 2)).toEqual(['call00100', 'call00101']);
  expect(idsAfter(1, 1)).toEqual(['call00200']);
  const all = Array.from({ length: 50 }, (_, round) => idsAfter(round, 50)).flat();
  expect(new Set(all).size).toBe(2500);
  for (const id of all) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
  expect(idsAfter(49, 50)).toEqual(all.slice(-50));
});

test('an id of the endpoint is kept, unless it is empty or an earlier call has it', () => {
  const messages: Message[] = [QUESTION, { role: 'assistant', content: '', tool_calls: [call('0')] }];
  const calls = withUniqueIds([call('abc'), call(''), call('0'), call('abc')], messages);
  expect(calls.map(({ id }) => id)).toEqual(['abc', 'call00201', 'call00202', 'call00203']);
});

test('an id that is made is none that the endpoint has used', () => {
  const calls = withUniqueIds([call('call00101'), call('')], [QUESTION]);
  expect(calls.map(({ id }) => id)).toEqual(['call00101', 'call00102']);
});
