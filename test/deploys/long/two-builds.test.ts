/** Tests processes of an earlier build beside those of the present one on one store: an upgrade, and its rollback, under tasks that wait. */
import { copyFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Deployment } from '../../support/deployment.js';
import { waitUntil } from '../../support/wait-until.js';
import { modern } from '../../support/wire-client.js';
import { type Build, buildEarlier } from '../support/earlier-build.js';

const HERE = fileURLToPath(new URL('../../../', import.meta.url));
const FEATURES = 'test/fixtures/deploys/builds.mjs';

/** What a task of each tool returns. */
const RESULTS = { nap: 'slept 2', ask: 'Hello Ada', retry: 'attempt 3' } as const;
type Tool = keyof typeof RESULTS;
const TOOLS = Object.keys(RESULTS) as readonly Tool[];
/** Tasks of each tool and each build. */
const COUNT = 5;

let earlier: Build;
let deployment: Deployment;

beforeAll(() => {
  earlier = buildEarlier();
  copyFileSync(`${HERE}${FEATURES}`, `${earlier.root}${FEATURES}`);
});
afterAll(() => earlier.remove());
afterEach(() => deployment.close());

interface Begun {
  readonly tool: Tool;
  readonly taskId: string;
}

async function begin(url: string): Promise<readonly Begun[]> {
  const tools = TOOLS.flatMap((tool) => Array.from({ length: COUNT }, () => tool));
  return Promise.all(
    tools.map(async (tool) => {
      const { result } = await modern(url, 'tools/call', { name: tool, arguments: {} });
      return { tool, taskId: String(result?.['taskId']) };
    }),
  );
}

type Task = Readonly<Record<string, unknown>>;
const get = async (url: string, { taskId }: Begun): Promise<Task | undefined> => (await modern(url, 'tasks/get', { taskId })).result;

async function answer(url: string, task: Begun): Promise<void> {
  const { inputRequests } = await waitUntil(
    async () => {
      const found = await get(url, task);
      return found?.['status'] === 'input_required' && found;
    },
    { description: 'it asks' },
  );
  const [key = ''] = Object.keys(inputRequests as object);
  const inputResponses = { [key]: { action: 'accept', content: { name: 'Ada' } } };
  expect((await modern(url, 'tasks/update', { taskId: task.taskId, inputResponses })).error).toBeUndefined();
}

const isWaiting = ({ standing }: { readonly standing: { readonly phase: string } }): boolean => standing.phase === 'suspended';

describe.each([
  ['an upgrade', (): readonly string[] => [earlier.root, HERE]],
  ['a rollback', (): readonly string[] => [HERE, earlier.root]],
])('%s', (_name, roots) => {
  it('loses no task, runs no recorded step again, and ends every process in order', async () => {
    const [from = '', to = ''] = roots();
    deployment = Deployment.create();
    const start = (root: string) => {
      const env = { LONGHAUL_FEATURES: `${root}${FEATURES}` };
      return Promise.all([deployment.gateway(env, [], root), deployment.worker(env, [], root)]);
    };
    const [first, leaving] = await start(from);
    const before = await begin(first.url);
    await waitUntil(async () => (await deployment.store.views()).filter(isWaiting).length >= before.length, {
      description: 'the tasks wait',
    });
    const [second] = await start(to);
    const during = await begin(second.url);
    expect(await leaving.stop()).toBe(0);
    // Each is answered at the gateway of the other build.
    const asking = (tasks: readonly Begun[]): readonly Begun[] => tasks.filter(({ tool }) => tool === 'ask');
    for (const task of asking(before)) await answer(second.url, task);
    for (const task of asking(during)) await answer(first.url, task);
    expect(await first.stop()).toBe(0);

    for (const task of [...before, ...during]) {
      const ended = await waitUntil(
        async () => {
          const found = await get(second.url, task);
          return found?.['status'] !== 'working' && found;
        },
        { description: `${task.tool} has ended` },
      );
      expect(ended).toMatchObject({ status: 'completed', result: { content: [{ text: RESULTS[task.tool] }] } });
    }
    for (const { events } of await deployment.store.tasks()) {
      const steps = events.flatMap(({ type, data }) => (type === 'StepCompleted' ? [(JSON.parse(data) as { key: string }).key] : []));
      expect(new Set(steps).size).toBe(steps.length);
    }
  });
});
