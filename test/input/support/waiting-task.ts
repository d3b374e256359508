/** Has tasks wait for signals at addresses of their own. */
import { createFeatureRegistry, defineTool, type FeatureRegistry } from '@longhaul/mcp-features';
import type { TaskId, TaskView } from '@longhaul/tasks';
import { z } from 'zod';
import type { TestGateway, TestGateways } from '../../support/gateway/gateways.js';
import { rpcSession } from '../../support/gateway/rpc.js';
import { waitUntil } from '../../support/wait-until.js';

export const SIGNED_WITH = `whsec_${Buffer.alloc(24, 'signed').toString('base64')}`;
export const EARLIER_SECRET = `whsec_${Buffer.alloc(32, 'earlier').toString('base64')}`;

const Paid = z.object({ amount: z.int().min(1), note: z.string().max(20).optional() });

/** The tools: one waits by a callback, the other by a name; one sends a signal to another task. */
export const waitingTools: FeatureRegistry = createFeatureRegistry([
  defineTool({
    name: 'pay',
    description: 'Waits for payments',
    input: z.object({ times: z.int().default(1), signed: z.boolean().default(false), timeoutMs: z.int().default(60_000) }),
    task: 'required',
    async run({ times, signed, timeoutMs }, context) {
      const signedWith = signed ? { signedWith: [SIGNED_WITH, EARLIER_SECRET] } : {};
      const callback = await context.callback('paid', { schema: Paid, timeoutMs, ...signedWith });
      context.status(callback.url);
      const got: unknown[] = [];
      for (let n = 0; n < times; n++) got.push(await callback.wait());
      return JSON.stringify(got);
    },
  }),
  defineTool({
    name: 'gate',
    description: 'Waits for one signal',
    input: z.object({}),
    task: 'required',
    run: async (_args, context) => JSON.stringify(await context.waitFor('open')),
  }),
  defineTool({
    name: 'knock',
    description: 'Sends a signal to a task',
    input: z.object({ taskId: z.string() }),
    task: 'required',
    async run({ taskId }, context) {
      await context.sendSignal(taskId, 'open', { from: context.taskId });
      return 'sent';
    },
  }),
]);

/** A task that waits. */
export interface Waiting {
  readonly taskId: TaskId;
  /** The view of the task, when it has one that fits. */
  view(fits?: (view: TaskView) => boolean): Promise<TaskView>;
  /** The text of the task's result, once there is one. */
  result(): Promise<string>;
}

/** Begins a task of a client of its own. */
export async function begin(gateways: TestGateways, name: string, args: object = {}): Promise<Waiting> {
  const session = await rpcSession(gateways.first.app, '2025-11-25', {});
  const { result } = await session.call('tools/call', { name, arguments: args, task: {} });
  const { taskId } = (result as { task: { taskId: TaskId } }).task;
  const read = async (): Promise<TaskView | undefined> => (await gateways.first.store.events.views([taskId]))[0];
  return {
    taskId,
    view: (fits = () => true) =>
      waitUntil(
        async () => {
          const view = await read();
          return view !== undefined && fits(view) ? view : undefined;
        },
        { description: 'the task comes so far' },
      ),
    async result() {
      const { content = [] } = ((await session.call('tasks/result', { taskId })).result ?? {}) as { content?: { text: string }[] };
      return content[0]?.text ?? '';
    },
  };
}

/** A task with an address, and the path of that. */
export async function withCallback(gateways: TestGateways, args: object = {}): Promise<Waiting & { readonly path: string }> {
  const task = await begin(gateways, 'pay', args);
  const { statusMessage = '' } = await task.view(({ statusMessage: said }) => said !== undefined);
  return { ...task, path: new URL(statusMessage).pathname };
}

/** Posts a body to a path of a gateway. */
export async function post(gateway: TestGateway, path: string, body: string | Buffer, headers: Record<string, string> = {}) {
  const {
    statusCode: status,
    headers: given,
    body: text,
  } = await gateway.app.inject({
    method: 'POST',
    url: path,
    headers: { host: 'localhost:3000', 'content-type': 'application/json', ...headers },
    payload: body,
  });
  return { status, headers: given, body: JSON.parse(text) as Record<string, unknown> };
}
