/** The client package of the tasks extension, over the SDK's second client, in both versions of the protocol. */
import { resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { connectTaskClient } from '../support/ext-tasks.ts';
import { callScenarios } from './common-scenarios.ts';
import { assignment, play, textOf, unsupported } from './program.ts';

const asked: string[] = [];
const { url = '', protocolVersion } = assignment;
const { client, session, close } = await connectTaskClient(url, protocolVersion, (message) => {
  asked.push(message);
  return message.includes('city') ? { city: 'Oslo' } : { name: 'Grace' };
});

const asTask = { task: { preference: 'require' } } as const;
let hasFollowedTask = false;
const call = async (name: string, args = {}, options = {}) => {
  const execution = await session.callTool(name, args, options);
  hasFollowedTask ||= execution.handle !== undefined;
  return resultFromTaskOutcome((await execution.settle()).outcome);
};
const textOfCall = async (...called: Parameters<typeof call>) => textOf(await call(...called));
const theSdks = unsupported('it is for calls and tasks; the rest is that of the SDK');

await play(
  {
    ...callScenarios(textOfCall, asked),
    list: theSdks,
    structured: async () => ((await call('suite-add', { a: 1, b: 2 })) as { structuredContent?: unknown }).structuredContent,
    progress: theSdks,
    sampling: theSdks,
    resources: theSdks,
    prompts: theSdks,
    completion: theSdks,
    subscription: theSdks,
    task: async () => {
      const execution = await session.callTool('suite-deliver', {}, asTask);
      const { outcome } = await execution.settle();
      return { taskId: execution.handle?.taskId, text: textOf(resultFromTaskOutcome(outcome)), asked: asked.pop() };
    },
    cancel: async () => {
      const execution = await session.callTool('suite-linger', {}, asTask);
      await execution.cancel();
      return (await execution.settle()).outcome.status;
    },
    outlive: () => textOfCall('suite-outlive', {}, asTask),
    afterwards: () => textOfCall('suite-greet', { name: 'Ada' }),
  },
  async () => ({
    shown: (await client.listTools()).tools.map(({ name }) => name),
    call: textOfCall,
    isOneAtATime: true,
    get hasFollowedTask() {
      return hasFollowedTask;
    },
  }),
  close,
);
