import type { UserMessage } from '../conversation/messages.js';
import type { ChatReply } from '../model/chat-model.js';
import type { Toolbox } from '../tools/toolbox.js';
import { knownTools } from './call-tools.js';

/** Makes the message to a model whose call could not be read from its text, so that it writes the call again. */
export function askAgain({ problem, toolCalls }: ChatReply, tools: Toolbox['tools']): UserMessage[] {
  if (problem === undefined || problem.code === 'UNREADABLE_REPLY') return [];
  const what = toolCalls.length === 0 ? 'No tool was called' : 'Not all of your calls were made';
  const why =
    problem.code === 'UNKNOWN_TOOL'
      ? `a call in your last message names an unknown tool. ${knownTools(tools)}`
      : 'a call in your last message cannot be read: it is cut, or has not the right form.';
  return [{ role: 'user', content: `${what}: ${why} If you want this call, write it again, whole. If not, continue without it.` }];
}
