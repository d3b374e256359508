/** Tests agents of a list that call each other as tasks, with a worker that is killed in the middle. */
import { fileURLToPath } from 'node:url';
import type { TaskReference } from '@longhaul/client';
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { Process } from '../../support/deployment.js';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { waitUntil } from '../../support/wait-until.js';
import { AgentDeployment, answerOf, calling, type SentMessage, toolResultsOf } from '../support/agent-deployment.js';

/** The files that were read. */
const read: string[] = [];
const readFileTool = defineTool({
  name: 'read_file',
  description: 'Reads a file',
  input: z.object({ path: z.string() }),
  run: ({ path }) => {
    read.push(path);
    return `In ${path}: tea is hot.`;
  },
});
const remote = serviceForTests({ features: createFeatureRegistry([readFileTool]) });

/** The messages of the first user and the rounds for which the models were asked. */
const requestsSince = (count: number): readonly string[] =>
  agent.endpoint.requests.slice(count).map(({ body }) => {
    const messages = body['messages'] as unknown as readonly SentMessage[];
    const round = messages.filter(({ role }) => role === 'assistant').length + 1;
    return `${body['model'] as string}: ${messages.find(({ role }) => role === 'user')?.content} ${round}`;
  });

let worker: Process;
let agent: AgentDeployment;
beforeAll(async () => {
  agent = await AgentDeployment.start({
    servers: { files: { url: await remote.listen(), protocolVersion: '2026-07-28', ask: 'always' } },
    env: { LONGHAUL_AGENT_AGENTS: fileURLToPath(new URL('../../../docs/examples/agents.json', import.meta.url)) },
    plans: {
      'Report on tea': [
        calling(['researcher', { prompt: 'Facts on tea' }], ['critic', { prompt: 'Tea is cold.' }]),
        { content: 'Tea is hot: a report.' },
      ],
      'Facts on tea': [calling(['read_file', { path: 'tea.txt' }]), { content: 'Tea is hot (tea.txt).' }],
      'Tea is cold.': [{ content: 'It is not.' }],
    },
  });
  worker = await agent.deployment.worker();
});
afterAll(() => agent.close());

it('has agents work for each other, asks its client for all of them, and repeats nothing when their worker is killed', async () => {
  let reference: TaskReference | undefined;
  const asked: unknown[] = [];
  const isEnded = async (): Promise<boolean> => (await agent.events(reference?.taskId ?? '')).some(({ type }) => type === 'ChildEnded');
  const client = await agent.client({
    onInput: {
      elicitation: async ({ message, _meta }) => {
        asked.push(message, _meta?.['longhaul/askedBy']);
        await waitUntil(isEnded, { description: 'the answer of the critic is recorded' });
        await worker.kill();
        worker = await agent.deployment.worker();
        return { action: 'accept', content: { answer: 'once' } };
      },
    },
  });
  const before = agent.endpoint.requests.length;
  const onTask = (its: TaskReference): void => void (reference = its);
  const answer = answerOf(await client.callTool('editor', { prompt: 'Report on tea' }, { onTask }));
  expect(answer.answer).toBe('Tea is hot: a report.');
  expect(toolResultsOf(answer)).toEqual(['Tea is hot (tea.txt).', 'It is not.']);
  expect(requestsSince(before).toSorted()).toEqual([
    'scripted: Report on tea 1',
    'scripted: Report on tea 2',
    'scripted: Tea is cold. 1',
    'small: Facts on tea 1',
    'small: Facts on tea 2',
  ]);
  expect(answer.bill).toMatchObject([
    { model: 'scripted', requests: 3 },
    { model: 'small', requests: 2 },
  ]);
  expect(read).toEqual(['tea.txt']);
  expect(asked).toEqual(['The agent wants to call read_file of the server "files" with {"path":"tea.txt"}', ['editor', 'researcher']]);
});
