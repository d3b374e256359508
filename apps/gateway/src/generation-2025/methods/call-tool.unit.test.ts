import { openMemoryStore } from '@longhaul/store-sqlite';
import { clientInfoOf } from '@longhaul/sessions/gateway';
import { createFeatureRegistry, defineTool, type RequestContext } from '@longhaul/mcp-features';
import { createTaskService, FIELD_LIMITS, type JsonObject } from '@longhaul/tasks';
import { CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sessionCallWith } from '../session-call.fixture.js';
import { PLAIN_CALL_SETTINGS } from '../../rpc/plain-calls/plain-call-settings.fixture.js';
import { createPlainCalls } from '../../rpc/plain-calls/plain-calls.js';
import { unscopedTasks } from '../../rpc/tasks/unscoped-tasks.fixture.js';
import { callTool } from './call-tool.js';
import { listTools } from '../../rpc/features/lists.js';

const input = z.object({});
const tools = [
  defineTool({ name: 'plain', description: 'Needs nothing', input, run: () => 'done' }),
  defineTool({ name: 'asks', description: 'Asks inline', input, needs: ['elicitation.form'], run: () => 'asked' }),
  defineTool({
    name: 'samples',
    description: 'Samples',
    input,
    needs: ['sampling', 'tasks.sampling'],
    task: 'required',
    run: async () => 'sampled',
  }),
  defineTool({
    name: 'talks',
    description: 'Says something first',
    input,
    task: 'optional',
    immediateResponse: 'Begun.',
    run: async () => '',
  }),
  defineTool({ name: 'silent', description: 'Says nothing first', input, task: 'optional', run: async () => '' }),
];

const features = createFeatureRegistry([
  ...tools,
  defineTool({
    name: 'prepares',
    description: 'Completes its arguments',
    input,
    task: 'optional',
    prepare: () => ({ text: 'x'.repeat(FIELD_LIMITS.preparedArgumentsBytes) }),
    run: async () => '',
  }),
]);
const service = createTaskService(openMemoryStore(), {
  onError: (error) => {
    throw error;
  },
});
const tasks = unscopedTasks(service, features);
const plainCalls = createPlainCalls({
  features,
  tasks,
  owners: { idOf: (owner) => owner },
  settings: PLAIN_CALL_SETTINGS,
  linkTo: () => undefined,
});
const method = callTool({
  features,
  tasks,
  plainCalls,
  noteTasks: async () => undefined,
  contextOf: ({ requester }) => ({ client: clientInfoOf(requester) }) as RequestContext,
  follow: async () => ({ outcome: { kind: 'result', result: { content: [] } } }),
  owners: { ownerOf: () => undefined },
  maxTtlMs: 60_000,
  keptQuestions: [],
});

const call = async (name: string, capabilities: JsonObject = {}, task?: object): Promise<unknown> =>
  method.handle(sessionCallWith({ name, ...(task !== undefined && { task }) }, capabilities));

const STAND_INS = ['task_result', 'task_status', 'task_cancel', 'task_list'];

describe('a tool that needs capabilities of the client', () => {
  const capable = { elicitation: {}, sampling: {}, tasks: { requests: { sampling: { createMessage: {} } } } };

  it.each([
    [{}, ['plain', 'talks', 'silent', 'prepares', ...STAND_INS]],
    [capable, ['plain', 'asks', 'samples', 'talks', 'silent', 'prepares']],
  ])('is listed by them: %j', async (capabilities, names) => {
    const result = await listTools(features, plainCalls, 10).handle(sessionCallWith(undefined, capabilities));
    expect((result['tools'] as { name: string }[]).map(({ name }) => name)).toEqual(names);
  });

  it.each<[string, JsonObject, object | undefined, string]>([
    ['asks', {}, undefined, 'elicitation.form'],
    ['asks', { elicitation: { url: {} } }, undefined, 'elicitation.form'],
    ['samples', {}, {}, 'sampling, tasks.sampling'],
    ['samples', { sampling: {} }, undefined, 'tasks.sampling'],
  ])('is not run without them: %s for %j', async (name, capabilities, task, missing) => {
    const message = `Tool ${name} needs capabilities that the client has not declared: ${missing}`;
    await expect(call(name, capabilities, task)).rejects.toMatchObject({ name: 'CapabilitiesMissing', message });
  });

  it('is run with them', async () => {
    expect(await call('asks', capable)).toMatchObject({ content: [{ text: 'asked' }] });
    expect(await call('samples', capable, {})).toHaveProperty('task');
  });
});

describe('a created task', () => {
  it('comes with the text that its tool has for the model meanwhile', async () => {
    const result = CreateTaskResultSchema.parse(await call('talks', {}, {}));
    expect(result._meta).toEqual({ 'io.modelcontextprotocol/model-immediate-response': 'Begun.' });
  });

  it('comes without one when its tool has none, and so does the answer of a plain call', async () => {
    expect(await call('silent', {}, {})).not.toHaveProperty('_meta');
    expect(await call('talks')).toEqual({ content: [] });
  });
});

describe('a tool that prepares more than can be recorded', () => {
  it.each([undefined, {}])('has its call refused, which names it and the limit: task %j', async (task) => {
    const message = 'The JSON of the arguments that tool prepares prepares has 8388619 bytes; at most 8388608 are allowed';
    await expect(call('prepares', {}, task)).rejects.toMatchObject({ code: -32603, message });
  });
});
