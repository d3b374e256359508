/** Makes the result of a task of the agent. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { cutWithNote } from '@longhaul/runtime/cut-bytes';
import type { Message } from '../conversation/messages.js';
import type { Outcome } from '../loop/outcome.js';
import type { ThreadOutcome } from '../threads/run-on-thread.js';

/** The size limit of the transcript and of the answer, bytes. With both, a result is well below the limit of a task's result. */
const MAX_TRANSCRIPT_BYTES = 2 * 1024 * 1024;
const MAX_ANSWER_BYTES = 1024 * 1024;

const usage = {
  inputTokens: z.int(),
  outputTokens: z.int(),
  cachedTokens: z.int().optional(),
  reasoningTokens: z.int().optional(),
};

/** The structured content of a result. */
export const agentOutput = z.object({
  outcome: z
    .enum(['answered', 'max-rounds', 'max-tokens', 'max-spend', 'max-time', 'repeated-call', 'model-error'])
    .describe('How the run ended; only "answered" has an answer'),
  answer: z.string().describe('The answer, or why there is none'),
  data: z.unknown().optional().describe('The answer as data, where an output_schema was given'),
  errorCode: z.string().optional().describe('Of model-error'),
  rounds: z.int().describe('Answers of the model'),
  usage: z.object(usage).describe('Tokens of all model calls; an estimate where the model does not count'),
  thread: z
    .object({
      thread: z.string().describe('Its name, for a later call'),
      question: z.int().describe('The number of the prompt in it, for a fork'),
      messages: z.int().describe('Messages that it has now'),
      notKept: z.string().optional().describe('Why some messages are not kept'),
    })
    .optional()
    .describe('The conversation that was continued or begun'),
  compacted: z
    .object({ messages: z.int(), summary: z.string() })
    .optional()
    .describe('The summary that the model was given for so many messages of the transcript, or for those before it'),
  bill: z
    .array(z.object({ model: z.string(), requests: z.int(), ...usage, cost: z.number().optional() }))
    .optional()
    .describe('The requests to each model, also those in vain, and their cost by the prices of the operator'),
  transcript: z.array(z.looseObject({ role: z.string() })).describe('The conversation, as chat completions write it'),
  leftOut: z.int().optional().describe('Messages of the transcript whose content was left out, because it was too large'),
});

/** The result of a run. */
export function agentResult({ text, transcript, ...outcome }: Outcome & { readonly thread?: ThreadOutcome }): CallToolResult {
  const answer = cutWithNote(text, MAX_ANSWER_BYTES);
  const { messages, leftOut } = boundedTranscript(transcript);
  return {
    content: [{ type: 'text', text: answer }],
    structuredContent: { ...outcome, answer, transcript: messages, ...(leftOut > 0 && { leftOut }) },
    ...(outcome.outcome !== 'answered' && { isError: true }),
  };
}

/** Leaves out the content of the largest messages, the results of tools first, until the rest fits. */
function boundedTranscript(transcript: readonly Message[]): { readonly messages: readonly Message[]; readonly leftOut: number } {
  const messages = [...transcript];
  let leftOut = 0;
  let bytes = messages.reduce((sum, message) => sum + bytesOf(message), 0);
  const largestFirst = messages
    .map((message, index) => ({ index, bytes: bytesOf(message), isResult: message.role === 'tool' }))
    .toSorted((one, other) => Number(other.isResult) - Number(one.isResult) || other.bytes - one.bytes);
  for (const { index, bytes: ownBytes } of largestFirst) {
    if (bytes <= MAX_TRANSCRIPT_BYTES) break;
    const message = messages[index];
    if (message === undefined) continue;
    const without = { ...message, content: `[${ownBytes} bytes are left out]` };
    messages[index] = without;
    bytes += bytesOf(without) - ownBytes;
    leftOut += 1;
  }
  return { messages, leftOut };
}

function bytesOf(message: Message): number {
  return Buffer.byteLength(JSON.stringify(message));
}
