import { describe, expect, it } from 'vitest';
import { ModelError } from '../model/model-error.js';
import { memoryToolbox } from '../tools/memory-toolbox.fixture.js';
import type { Outcome } from './outcome.js';
import { type AgentLimits, runAgent } from './run-agent.js';
import { call, type Line, scriptedModel } from './scripted-model.fixture.js';
import { type VirtualHost, virtualHost } from './virtual-host.fixture.js';

async function runWith(
  lines: readonly Line[],
  limits: AgentLimits = {},
): Promise<{ outcome: Outcome; host: VirtualHost; requests: number }> {
  const host = virtualHost();
  const model = scriptedModel(lines);
  const outcome = await runAgent({ model, toolbox: memoryToolbox({}), host, history: [], prompt: 'Go', limits });
  return { outcome, host, requests: model.requests.length };
}

const busy = new ModelError('UNAVAILABLE', 'The endpoint answers 503.');

describe('a model that does not answer', () => {
  it('is asked again after waits that double', async () => {
    const { outcome, host } = await runWith([busy, busy, busy, { content: 'done' }]);
    expect(outcome).toMatchObject({ outcome: 'answered', rounds: 1 });
    expect(host.sleeps).toEqual([1_000, 2_000, 4_000]);
    expect(host.events).toContainEqual({ type: 'retry', afterMs: 2_000, reason: 'The endpoint answers 503.' });
  });

  it('has not answered where it makes more calls than a conversation can hold', async () => {
    const toolCalls = Array.from({ length: 200_000 }, () => call('echo'));
    const { outcome } = await runWith([{ toolCalls }], { maxModelTries: 1 });
    expect(outcome).toMatchObject({ outcome: 'model-error', errorCode: 'BAD_RESPONSE', rounds: 0 });
    expect(outcome.text).toBe('The model made 200000 calls in one message, and at most 1024 are taken');
  });

  it('is asked five times and then ends the run with the code of the error', async () => {
    const { outcome, requests } = await runWith([busy]);
    expect(outcome).toMatchObject({ outcome: 'model-error', errorCode: 'UNAVAILABLE', rounds: 0 });
    expect(outcome.text).toBe('The endpoint answers 503. (after 5 tries)');
    expect(outcome.transcript).toEqual([{ role: 'user', content: 'Go' }]);
    expect(requests).toBe(5);
    expect((await runWith([busy], { maxModelTries: 1 })).outcome.text).toBe('The endpoint answers 503.');
  });

  it('is waited for as long as it asks for, up to a bound', async () => {
    const { host } = await runWith([new ModelError('RATE_LIMITED', 'Too many', 7_500), { content: 'done' }]);
    expect(host.sleeps).toEqual([7_500]);
    const { outcome, requests } = await runWith([new ModelError('RATE_LIMITED', 'Too many', 60_001)]);
    expect(outcome).toMatchObject({ outcome: 'model-error', errorCode: 'RATE_LIMITED' });
    expect(outcome.text).toBe('Too many (the endpoint asks to wait 60001 ms; at most 60000 are allowed)');
    expect(requests).toBe(1);
  });

  it('never waits longer than the bound', async () => {
    const { host } = await runWith([busy], { maxModelTries: 6, maxModelWaitMs: 3_000 });
    expect(host.sleeps).toEqual([1_000, 2_000, 3_000, 3_000, 3_000]);
  });

  it('is not waited for when no time would be left', async () => {
    const { outcome, host } = await runWith([busy], { maxMs: 2_500 });
    expect(host.sleeps).toEqual([1_000]);
    expect(outcome).toMatchObject({ outcome: 'model-error', errorCode: 'UNAVAILABLE' });
    expect(outcome.text).toContain('no time is left to try again after 2000 ms');
  });

  it('is not asked again after an error that stays', async () => {
    for (const code of ['UNAUTHORIZED', 'UNKNOWN_MODEL', 'CONTEXT_OVERFLOW', 'REFUSED'] as const) {
      const { outcome, requests } = await runWith([new ModelError(code, 'No.')]);
      expect(outcome).toMatchObject({ outcome: 'model-error', errorCode: code, text: 'No.' });
      expect(requests).toBe(1);
    }
  });

  it('is asked again when it says nothing, and ends the run if that goes on', async () => {
    expect((await runWith([{}, { content: 'done' }])).outcome.outcome).toBe('answered');
    const { outcome } = await runWith([{ content: ' \n' }]);
    expect(outcome).toMatchObject({ outcome: 'model-error', errorCode: 'BAD_RESPONSE' });
    expect(outcome.text).toBe('No content and no tool calls (after 5 tries)');
  });

  it('ends the run with an error that is not its own as well', async () => {
    const { outcome } = await runWith([new TypeError('x is no function')]);
    expect(outcome).toMatchObject({ outcome: 'model-error', errorCode: 'REFUSED', text: 'x is no function' });
  });

  it('ends the run when its step fails as a whole', async () => {
    const host = { ...virtualHost(), step: () => Promise.reject(new Error('The step took longer than an hour.')) };
    const outcome = await runAgent({ model: scriptedModel([]), toolbox: memoryToolbox({}), host, history: [], prompt: 'Go' });
    expect(outcome).toMatchObject({ outcome: 'model-error', errorCode: 'REFUSED', text: 'The step took longer than an hour.' });
  });
});
