import { describe, expect, it } from 'vitest';
import type { Message } from '../conversation/messages.js';
import type { Outcome } from '../loop/outcome.js';
import { agentOutput, agentResult } from './agent-result.js';

const MIB = 1024 * 1024;
const outcome = (transcript: readonly Message[], more: Partial<Outcome> = {}): Outcome => ({
  outcome: 'answered',
  text: 'Done.',
  rounds: 1,
  usage: { inputTokens: 1, outputTokens: 2 },
  transcript,
  ...more,
});
const resultOf = (id: string, bytes: number): Message => ({ role: 'tool', tool_call_id: id, content: 'x'.repeat(bytes) });
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe('the result of a run', () => {
  it('is the answer, with all that is known of it as data that fit its schema', () => {
    const transcript: Message[] = [{ role: 'user', content: 'Go.' }];
    const result = agentResult(outcome(transcript, { data: { a: 1 } }));
    expect(result).toEqual({
      content: [{ type: 'text', text: 'Done.' }],
      structuredContent: {
        outcome: 'answered',
        answer: 'Done.',
        data: { a: 1 },
        rounds: 1,
        usage: { inputTokens: 1, outputTokens: 2 },
        transcript,
      },
    });
    expect(agentOutput.safeParse(result.structuredContent).success).toBe(true);
    expect(agentResult(outcome([], { outcome: 'max-rounds' })).isError).toBe(true);
  });

  it('leaves out the largest results of tools where it would be too large, and says how many', () => {
    const transcript = [{ role: 'user', content: 'Go.' } as const, resultOf('a', MIB), resultOf('b', 2 * MIB), resultOf('c', 10)];
    const { structuredContent } = agentResult(outcome(transcript));
    expect(structuredContent).toMatchObject({ leftOut: 1, transcript: [transcript[0], transcript[1], {}, transcript[3]] });
    expect(JSON.stringify(structuredContent?.['transcript'])).toContain(`[${bytesOf(transcript[2])} bytes are left out]`);
  });

  it('stays below what a task may end with, also with a large answer and large messages of the model', () => {
    const large = 'y'.repeat(5 * MIB);
    const result = agentResult(
      outcome(
        [
          { role: 'assistant', content: large },
          { role: 'assistant', content: large },
        ],
        { text: large },
      ),
    );
    expect(bytesOf(result)).toBeLessThan(5 * MIB);
    expect(result.structuredContent).toMatchObject({ leftOut: 2 });
  });
});
