/** Tests that a thread is longer than its model takes, before an endpoint that refuses what is too long. */
import { afterEach, describe, expect, it } from 'vitest';
import { createEndpointModel } from '../endpoint/endpoint-model.js';
import { createProcessHost } from '../loop/process-host.js';
import {
  contextOverflow,
  type RecordedRequest,
  type ScriptedEndpoint,
  type ScriptedReply,
  startScriptedEndpoint,
} from '../testing/scripted-endpoint.js';
import { memoryToolbox, textResult } from '../tools/memory-toolbox.fixture.js';
import { memoryCollections } from './memory-collections.fixture.js';
import { runOnThread } from './run-on-thread.js';
import { createThreads, type Threads } from './threads.js';

const CONTEXT_TOKENS = 8_192;
const CHARACTERS_PER_TOKEN = 3;
const FACT = 'The code word is kumquat.';
/** 200 turns of this take 60,000 tokens. */
const FILLER = 'All work and no play makes Jack a dull boy. '.repeat(20);

let endpoint: ScriptedEndpoint;
afterEach(() => endpoint.close());

interface Sent {
  readonly role: string;
  readonly content: string;
}

const messagesOf = ({ body }: RecordedRequest): readonly Sent[] => body['messages'] as unknown as Sent[];
const isSummary = (request: RecordedRequest): boolean => messagesOf(request)[0]?.content.startsWith('You summarise') === true;

/** Answers as a model of 8,192 tokens that keeps the code word in its summaries, for as long as it sees it. */
function answer(request: RecordedRequest): ScriptedReply {
  const text = JSON.stringify([request.body['messages'], request.body['tools'] ?? []]);
  const tokens = Math.ceil(text.length / CHARACTERS_PER_TOKEN);
  if (tokens > CONTEXT_TOKENS) return contextOverflow('openai', { contextTokens: CONTEXT_TOKENS, promptTokens: tokens });
  const knows = text.includes('kumquat') ? FACT : 'I know of no code word.';
  if (isSummary(request)) return { content: `Summary: ${knows}` };
  return { content: messagesOf(request).at(-1)?.content.startsWith('What') === true ? knows : FILLER };
}

async function ask(threads: Threads, prompt: string, contextTokens?: number) {
  const host = createProcessHost();
  return runOnThread(
    { threads, thread: 'long', by: prompt, leaseMs: 60_000 },
    {
      model: createEndpointModel({ baseUrl: endpoint.url, model: 'small', mode: 'native' }),
      toolbox: memoryToolbox({ read: { act: () => textResult('page '.repeat(4_000)) } }),
      host,
      system: [{ role: 'system', content: 'Be brief.' }],
      prompt,
      contextTokens,
    },
  );
}

describe('a thread of 200 turns', () => {
  it.each([CONTEXT_TOKENS, undefined])(
    'fits a model of 8,192 tokens, where %s are set, and knows what was said first',
    async (contextTokens) => {
      endpoint = await startScriptedEndpoint(answer);
      const threads = createThreads(memoryCollections());
      await ask(threads, FACT, contextTokens);
      for (let turn = 2; turn < 200; turn += 1)
        expect(await ask(threads, `Turn ${turn}`, contextTokens)).toMatchObject({ outcome: 'answered' });
      expect(await ask(threads, 'What is the code word?', contextTokens)).toMatchObject({ outcome: 'answered', text: FACT });
      const summaries = endpoint.requests.filter((request) => isSummary(request)).length;
      expect(summaries).toBeGreaterThan(5);
      expect(summaries).toBeLessThan(60);
      // What the model is no longer shown is kept.
      const kept = await threads.read('long');
      expect(kept).toHaveLength(400);
      expect(kept[0]?.message.content).toBe(FACT);
    },
  );

  it('summarises in the middle of a run as well, with its question and without what it has done already', async () => {
    endpoint = await startScriptedEndpoint((request) => {
      if (isSummary(request)) return answer(request);
      const calls = messagesOf(request).filter(({ role }) => role === 'tool').length;
      const refused = answer(request);
      if (refused.status !== undefined) return refused;
      const isDone = request.number > 8;
      return isDone ? { content: 'Read.' } : { toolCalls: [{ name: 'read', arguments: { page: request.number, calls } }] };
    });
    const threads = createThreads(memoryCollections());
    const host = createProcessHost();
    const outcome = await runOnThread(
      { threads, thread: 'pages', by: 'a', leaseMs: 60_000 },
      {
        model: createEndpointModel({ baseUrl: endpoint.url, model: 'small', mode: 'native' }),
        toolbox: memoryToolbox({ read: { act: () => textResult('page '.repeat(2_000)) } }),
        host,
        system: [],
        prompt: 'Read ten pages',
        limits: { maxRounds: 20 },
        contextTokens: CONTEXT_TOKENS,
      },
    );
    expect(outcome).toMatchObject({ outcome: 'answered', text: 'Read.' });
    const last = messagesOf(endpoint.requests.at(-1) as RecordedRequest);
    expect(last[0]?.content).toContain('The question that you are working on:\nRead ten pages');
    const ids = new Set(last.flatMap((message) => (message as { tool_call_id?: string }).tool_call_id ?? []));
    expect(ids.size).toBe(last.filter(({ role }) => role === 'tool').length);
    expect(outcome.compacted?.summary).toContain('Summary:');
  });
});
