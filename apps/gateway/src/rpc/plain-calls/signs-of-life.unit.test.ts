import { expect, it } from 'vitest';
import type { Pushed } from '../method.js';
import { SignsOfLife, CallSigns } from './signs-of-life.js';

const HALF_MS = 7_500;
const task = { createdAt: 990_000 };

function waiting(request: { readonly lastSent?: number } = {}) {
  const sent: Pushed[] = [];
  const time = { now: 1_000_000 };
  const call = new CallSigns(
    { createdAt: task.createdAt, progressToken: 'token', push: (message) => sent.push(message), ...request },
    () => time.now,
  );
  const pass = (ms: number): void => {
    time.now += ms;
    call.look(HALF_MS);
  };
  return { call, sent, pass, progress: () => sent.map(({ params }) => params['progress']) };
}

it('a sign of life has the token, the latest progress with its total, and the last message', () => {
  const { call, sent, pass } = waiting();
  call.see({ ...task, progress: { progress: 3, total: 9, message: 'third' }, statusMessage: 'under way' });
  pass(10_000);
  const params = { progressToken: 'token', progress: 3 + 3 * 20e-9, total: 9, message: 'third' };
  expect(sent).toEqual([{ method: 'notifications/progress', isRepeatable: true, params }]);
  call.see({ ...task, statusMessage: 'under way' });
  pass(10_000);
  expect(sent[1]?.params).toEqual({ progressToken: 'token', progress: expect.any(Number) as number, message: 'under way' });
});

it('a sign of life is sent before anything was read of the task, as in an outage', () => {
  const { sent, pass } = waiting();
  pass(HALF_MS);
  expect(sent.map(({ params }) => params)).toEqual([{ progressToken: 'token', progress: expect.closeTo(17.5e-9, 12) as number }]);
});

it('nothing is sent when something was sent just before', () => {
  const { call, sent, pass } = waiting();
  pass(HALF_MS - 1);
  call.push({ method: 'notifications/progress', params: { progressToken: 'token', progress: 1 } });
  pass(HALF_MS - 1);
  expect(sent).toHaveLength(1);
  pass(1);
  expect(sent).toHaveLength(2);
});

it('a report that was overtaken is sent slightly above, and other messages as they are', () => {
  const { call, sent, pass, progress } = waiting();
  call.see(task);
  pass(HALF_MS);
  call.push({ method: 'notifications/progress', params: { progressToken: 'token', progress: 0, message: 'begun' } });
  call.push({ method: 'notifications/message', params: { level: 'info', data: 1 } });
  const [sign, report] = progress() as number[];
  expect(report).toBeGreaterThan(sign as number);
  expect(sent[1]?.params['message']).toBe('begun');
  expect(sent[2]).toEqual({ method: 'notifications/message', params: { level: 'info', data: 1 } });
});

it('a call that asks for no progress is sent nothing, and neither is any call when signs are off', () => {
  const push = (): void => undefined;
  const on = new SignsOfLife(15_000);
  const calls = [on.begin({ ...task, push }), on.begin({ ...task, push, progressToken: 0 })];
  expect(on.size).toBe(1);
  for (const call of calls) call.end();
  expect(on.size).toBe(0);
  on.stop();
  const off = new SignsOfLife(0);
  off.begin({ ...task, push, progressToken: 1 }).end();
  expect(off.size).toBe(0);
});
