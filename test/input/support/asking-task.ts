/** Has a task ask by a link: its client cannot be asked. */
import { createKeyRing } from '@longhaul/runtime/keys';
import { createQuestionLinks } from '@longhaul/sessions/gateway';
import type { TaskId, TaskView } from '@longhaul/tasks';
import type { TestGateways } from '../../support/gateway/gateways.js';
import { rpcSession } from '../../support/gateway/rpc.js';
import { waitUntil } from '../../support/wait-until.js';

/** The secret of the gateways. */
export const SECRET = 'f3b2a9c8d7e6f5a4b3c2d1e0';
export const PUBLIC_URL = 'http://localhost:3000/mcp';
/** The same links as those of the gateways. */
export const links = createQuestionLinks(createKeyRing(SECRET), PUBLIC_URL);

/** Such a task. */
export interface Asked {
  readonly view: TaskView;
  /** The path of the page. */
  readonly path: string;
  /** The text of the task's result, once there is one. */
  result(): Promise<unknown>;
}

/** A task of a client that cannot be asked, when it asks. */
export async function asking(gateways: TestGateways, name = 'survey', args: object = {}): Promise<Asked> {
  const session = await rpcSession(gateways.first.app, '2025-11-25', {});
  const { result } = await session.call('tools/call', { name, arguments: args, task: {} });
  const { taskId } = (result as { task: { taskId: TaskId } }).task;
  const view = await waitUntil(
    async () => (await gateways.store.views()).find((each) => each.taskId === taskId && each.pendingInputs.length > 0),
    { description: 'the task asks' },
  );
  const [input] = view.pendingInputs;
  if (input === undefined) throw new Error('Nothing is asked.');
  return {
    view,
    path: new URL(links.linkTo(view, input) ?? '').pathname,
    async result() {
      const { content = [] } = ((await session.call('tasks/result', { taskId })).result ?? {}) as { content?: { text: string }[] };
      return JSON.parse(content[0]?.text ?? '');
    },
  };
}
