import { expect, it } from 'vitest';
import { MessagePace } from './message-pace.js';

it('the messages of a connection are read at once up to 2,000, and then 500 in a second', () => {
  let nowMs = 0;
  const pace = new MessagePace(() => nowMs);
  for (let i = 0; i < 2_000; i += 1) pace.count();
  expect(pace.pauseMs).toBe(0);
  for (let i = 0; i < 50; i += 1) pace.count();
  expect(pace.pauseMs).toBe(100);
  nowMs += 100;
  expect(pace.pauseMs).toBe(0);
  nowMs += 1_000_000;
  expect(pace.pauseMs).toBe(0);
  for (let i = 0; i < 2_001; i += 1) pace.count();
  expect(pace.pauseMs).toBe(2);
  nowMs += 2;
  pace.count('question');
  expect(pace.pauseMs).toBe(20);
});
