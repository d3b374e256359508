/** Defines the tool that shows a caller the threads of its agent. */
import { defineTool, type InlineTool } from '@longhaul/mcp-features';
import { z } from 'zod';
import { textOfContent } from '../conversation/tool-content.js';
import { THREAD_NAME, THREAD_NAME_RULE } from '../threads/thread-names.js';
import type { NumberedMessage, ThreadSummary } from '../threads/thread.js';
import { createThreads } from '../threads/threads.js';
import { cutWithNote } from '@longhaul/runtime/cut-bytes';
import { NO_OWNER } from './thread-owner.js';

/** Messages of one answer, and bytes that are shown of each. */
const MAX_SHOWN = 100;
const MAX_SHOWN_BYTES = 4_096;

/** The tool `agent-threads`: lists threads, shows the messages of one with their numbers, or removes one. */
export function threadsTool(options: { readonly threadsMaxBytes: number }): InlineTool {
  return defineTool({
    name: 'agent-threads',
    title: 'Threads of the agent',
    description: 'Lists your threads of run-agent, shows the messages of one with their numbers, or removes one.',
    input: z.object({
      thread: z.string().regex(THREAD_NAME, THREAD_NAME_RULE).optional().describe('The thread to show; if not set, all are listed'),
      from: z
        .int()
        .min(1)
        .optional()
        .describe(`The number of the first message; at most ${MAX_SHOWN} are shown. If not set, the last ones`),
      remove: z.boolean().optional().describe('Removes the thread'),
    }),
    output: z.object({
      threads: z
        .array(
          z.object({
            thread: z.string(),
            title: z.string(),
            messages: z.int(),
            createdAt: z.string(),
            usedAt: z.string(),
            isBusy: z.boolean(),
            forkOf: z.string().optional(),
          }),
        )
        .optional(),
      messages: z
        .array(z.object({ number: z.int(), role: z.string(), text: z.string(), calls: z.array(z.string()).optional() }))
        .optional(),
      removed: z.boolean().optional(),
    }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    run: async ({ thread, from, remove }, { owner }) => {
      if (owner === undefined) throw new Error(NO_OWNER);
      const threads = createThreads(owner, options.threadsMaxBytes);
      if (thread === undefined) {
        if (remove === true) throw new Error('remove: name the thread that is to be removed.');
        const listed = await threads.list(Date.now());
        return { threads: listed.map((each) => shownThread(each)) };
      }
      if (remove === true) return { removed: await threads.remove(thread, Date.now()) };
      const all = await threads.read(thread, from ?? 1);
      const shown = from === undefined ? all.slice(-MAX_SHOWN) : all.slice(0, MAX_SHOWN);
      return { messages: shown.map((each) => shownMessage(each)) };
    },
  });
}

function shownThread({ createdAt, usedAt, ...thread }: ThreadSummary) {
  return { ...thread, createdAt: new Date(createdAt).toISOString(), usedAt: new Date(usedAt).toISOString() };
}

function shownMessage({ number, message }: NumberedMessage) {
  const text = cutWithNote(textOfContent(message.content), MAX_SHOWN_BYTES);
  const calls = message.role === 'assistant' ? message.tool_calls?.map(({ function: { name } }) => name) : undefined;
  return { number, role: message.role, text, ...(calls !== undefined && { calls }) };
}
