import { expect, it } from 'vitest';
import type { ChatReply } from '../model/chat-model.js';
import { memoryToolbox } from '../tools/memory-toolbox.fixture.js';
import { type AgentLimits, runAgent } from './run-agent.js';
import { call, calls, type Line, scriptedModel } from './scripted-model.fixture.js';
import { virtualHost } from './virtual-host.fixture.js';

function problem(code: NonNullable<ChatReply['problem']>['code'], message = 'A call cannot be read.'): Partial<ChatReply> {
  return { content: '<tool_call>{', problem: { code, message } };
}

async function runWith(lines: readonly Line[], limits: AgentLimits = {}) {
  const model = scriptedModel(lines);
  const host = virtualHost();
  const toolbox = memoryToolbox({ echo: {} });
  const outcome = await runAgent({ model, toolbox, host, history: [], prompt: 'Go', limits });
  return { outcome, host, toolbox, lastSaid: model.requests.at(-1)?.messages.at(-1)?.content };
}

it('a call that cannot be read is no answer: the model is asked for it again', async () => {
  const { outcome, host, toolbox, lastSaid } = await runWith([problem('UNREADABLE_CALL'), calls(call('echo')), { content: 'done' }]);
  expect(outcome).toMatchObject({ outcome: 'answered', text: 'done', rounds: 3 });
  expect(toolbox.called).toHaveLength(1);
  expect(host.events).toContainEqual({ type: 'retry', afterMs: 0, reason: 'A call cannot be read.' });
  expect(outcome.transcript[2]).toEqual({
    role: 'user',
    content: expect.stringMatching(/^No tool was called: .*cannot be read.*write it again/),
  });
  expect(lastSaid).toBe('{}');
});

it('the model learns which tools there are when its call names none of them', async () => {
  const { outcome, lastSaid } = await runWith([problem('UNKNOWN_TOOL'), { content: 'done' }]);
  expect(outcome.outcome).toBe('answered');
  expect(lastSaid).toMatch(/unknown tool\. The tools are: echo\./);
});

it('the run ends with an error when no call can be read three times in a row, or in the last round', async () => {
  const { outcome } = await runWith([problem('UNREADABLE_CALL')]);
  expect(outcome).toMatchObject({ outcome: 'model-error', errorCode: 'BAD_RESPONSE', text: 'A call cannot be read.', rounds: 3 });
  expect((await runWith([problem('UNKNOWN_TOOL')], { maxRounds: 1 })).outcome).toMatchObject({ outcome: 'model-error', rounds: 1 });
  const broken = problem('UNREADABLE_CALL');
  const good = calls(call('echo'));
  const mixed = await runWith([broken, broken, good, broken, broken, { content: 'done' }], { maxRounds: 9 });
  expect(mixed.outcome).toMatchObject({ outcome: 'answered', rounds: 6 });
});

it('the model is not asked again when the tokens are used up', async () => {
  const { outcome } = await runWith([{ ...problem('UNREADABLE_CALL'), usage: { inputTokens: 5, outputTokens: 5 } }], { maxTokens: 10 });
  expect(outcome).toMatchObject({ outcome: 'max-tokens', rounds: 1 });
});

it('beside calls that can be read, the model learns that another one was not made', async () => {
  const { outcome, toolbox, lastSaid } = await runWith([{ ...calls(call('echo')), ...problem('UNREADABLE_CALL') }, { content: 'done' }]);
  expect(outcome.outcome).toBe('answered');
  expect(toolbox.called).toHaveLength(1);
  expect(lastSaid).toMatch(/^Not all of your calls were made: /);
});

it('a reply that only has not the form that was asked for is the answer', async () => {
  const { outcome } = await runWith([{ content: 'Saturday', problem: { code: 'UNREADABLE_REPLY', message: 'No JSON' } }]);
  expect(outcome).toMatchObject({ outcome: 'answered', text: 'Saturday' });
});
