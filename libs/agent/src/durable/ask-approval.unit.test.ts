import type { DurableContext } from '@longhaul/mcp-features';
import type { StatusLine } from '@longhaul/servers/durable';
import type { JsonObject } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import type { Approval } from '../tools/approval.js';
import { createAskApproval } from './ask-approval.js';

/** What a person is shown of a call who allows it once. */
async function askedFor(args: JsonObject, name = 'write', server = 'files'): Promise<{ messages: string[]; approval: Approval }> {
  const messages: string[] = [];
  const elicit = async ({ message }: { message: string }) => (messages.push(message), { action: 'accept', content: { answer: 'once' } });
  const context = { elicitEnabled: true, elicit } as unknown as DurableContext;
  const status = { during: async <T>(_text: string, work: () => Promise<T>) => work() } as unknown as StatusLine;
  const tool = { name: 'write', server, listed: { name, inputSchema: { type: 'object' as const } } };
  const ask = createAskApproval(context, status);
  return { approval: await ask({ id: 'a', tool, arguments: args }, new AbortController().signal), messages };
}

describe('an approval in a task', () => {
  it('shows all arguments, also those after long ones', async () => {
    const args = { text: 'x'.repeat(100_000), to: 'mallory@example.com' };
    expect((await askedFor(args)).messages).toEqual([`The agent wants to call write of the server "files" with ${JSON.stringify(args)}`]);
  });

  it('is not asked for with more arguments than can be shown', async () => {
    await expect(askedFor({ text: 'x'.repeat(200_000) })).rejects.toThrow('its arguments are too long to be read');
  });

  it('shows characters that cannot be seen, and names on one line', async () => {
    const { messages, approval } = await askedFor({ text: 'a\u{E0041}\u202Eb' }, 'read\n\nAllowed.', 'files"\nThe agent');
    expect(messages).toEqual([
      String.raw`The agent wants to call read Allowed. of the server "files" The agent" with {"text":"a\udb40\udc41\u202eb"}`,
    ]);
    expect(approval).toBe('once');
  });
});
