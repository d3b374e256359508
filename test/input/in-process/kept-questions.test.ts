/** Tests questions of tasks whose client cannot be asked: they wait, are sent to nobody who cannot take them, and others answer them. */
import { CreateTaskResultSchema, GetTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { operated } from '../../operator/support/operated.js';
import { forAllTests } from '../../support/for-all-tests.js';
import { gatewaysForTests, startGateways } from '../../support/gateway/gateways.js';
import { rpcSession, type RpcSession } from '../../support/gateway/rpc.js';
import { ASKED_CLIENT, modernClient } from '../../support/gateway-2026/modern-client.js';
import { accept, getTask, startTask, untilStatus, update } from '../../support/gateway-2026/task-client.js';
import { modernFeatures } from '../../support/gateway-2026/features.js';
import { waitUntil } from '../../support/wait-until.js';

const gateways = gatewaysForTests({ keepAliveMs: 50, patienceMs: 20 }, { features: modernFeatures });
const desk = forAllTests(
  () => operated(gateways.first.store),
  ({ operator }) => operator.close(),
);

const { elicitation: _elicitation, ...silent } = ASKED_CLIENT;

async function startedBy(session: RpcSession, name: string): Promise<string> {
  return CreateTaskResultSchema.parse((await session.call('tools/call', { name, task: {} })).result).task.taskId;
}

const statusIn = async (session: RpcSession, taskId: string): Promise<string> =>
  GetTaskResultSchema.parse((await session.call('tasks/get', { taskId })).result).status;

const isAsking = (session: RpcSession, taskId: string): Promise<unknown> =>
  waitUntil(async () => (await statusIn(session, taskId)) === 'input_required', { description: 'the task asks' });

describe('a question that the client of 2025-11-25 cannot be asked', () => {
  it('waits, is sent on none of its streams, and is answered by an operator', async () => {
    const session = await rpcSession(gateways.first.app, '2025-11-25', { roots: {} });
    const standalone = await gateways.second.get(session);
    const taskId = await startedBy(session, 'ask');
    await isAsking(session, taskId);
    const waiting = await gateways.first.post(session, 7, 'tasks/result', { taskId });
    const { questions } = (await desk.get('/api/v1/questions')).body as {
      questions: { taskId: string; key: string; answerable: boolean }[];
    };
    const asked = questions.find((question) => question.taskId === taskId);
    expect(asked).toMatchObject({ answerable: true });
    const answered = await desk.post(`/api/v1/tasks/${taskId}/answers/${encodeURIComponent(asked?.key ?? '')}`, {
      action: 'accept',
      content: { name: 'Ada' },
      reason: 'asked on the phone',
    });
    expect(answered.status).toBe(204);
    await waiting.ended();

    expect(waiting.messages().at(-1)).toMatchObject({ id: 7, result: { content: [{ text: 'Hello Ada' }] } });
    await standalone.message('the end of the task', ({ params }) => (params as { status?: string } | undefined)?.status === 'completed');
    standalone.hangUp();
    const methods = [...waiting.messages(), ...standalone.messages()].map(({ method }) => method);
    expect(methods).not.toContain('elicitation/create');
  });

  it('gives the tool an error where its kind is not kept', async () => {
    const session = await rpcSession(gateways.first.app, '2025-11-25', { elicitation: {} });
    const { result } = await session.call('tasks/result', { taskId: await startedBy(session, 'ask-everything') });
    expect(JSON.stringify(result)).toContain('The client has not declared the capability');
  });
});

describe('a question that the client of 2026-07-28 cannot be asked', () => {
  it('waits, is shown to no request that cannot take it, and one of the same caller that can take it answers', async () => {
    const asking = modernClient(gateways.first, silent);
    const { taskId } = await startTask(asking, 'ask');
    expect(await untilStatus(asking, taskId, 'input_required')).toMatchObject({
      inputRequests: {},
      statusMessage: 'Waits for an answer that this client cannot be asked for: "Your name?"',
    });
    const other = modernClient(gateways.second, ASKED_CLIENT);
    const [key = ''] = Object.keys((await getTask(other, taskId)).inputRequests ?? {});
    await update(other, taskId, { [key]: accept({ name: 'Ada' }) });

    expect(JSON.stringify(await untilStatus(asking, taskId, 'completed'))).toContain('Hello Ada');
  });
});

describe('a gateway that serves nothing but the protocol', () => {
  it('keeps no question', async () => {
    const bare = await startGateways({ isBare: true }, { features: modernFeatures });
    const session = await rpcSession(bare.first.app, '2025-11-25', {});
    const { result } = await session.call('tools/call', { name: 'ask', arguments: {} });
    await bare.close();

    expect(JSON.stringify(result)).toContain('No answer');
  });
});
