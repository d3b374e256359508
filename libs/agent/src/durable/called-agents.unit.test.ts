import { runTool, type RunToolOptions } from '@longhaul/mcp-features/testing';
import { defineTool, type DurableTool } from '@longhaul/mcp-features';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseAgents } from '../named-agents.js';
import { type RecordedRequest, type ScriptedEndpoint, type ScriptedReply, startScriptedEndpoint } from '../testing/scripted-endpoint.js';
import { agentTools } from './agent-tools.js';

/** What the models answer, by the first words of the question and by the round. */
let plans: Readonly<Record<string, readonly ScriptedReply[]>> = {};
/** The requests of one run, as `question/round`. */
let asked: string[] = [];
let endpoint: ScriptedEndpoint;

const usage = { inputTokens: 80, outputTokens: 20 };
const says = (content: string): ScriptedReply => ({ content, usage });
const calls = (...made: readonly (readonly [agent: string, prompt: string])[]): ScriptedReply => ({
  toolCalls: made.map(([name, prompt], index) => ({ id: `id-${index}`, name, arguments: { prompt } })),
  usage,
});

function reply({ body }: RecordedRequest): ScriptedReply {
  const messages = body['messages'] as unknown as readonly { readonly role: string; readonly content: string }[];
  const question = messages.find(({ role }) => role === 'user')?.content ?? '';
  const round = messages.filter(({ role }) => role === 'assistant').length;
  asked.push(`${question}/${round + 1}`);
  return plans[question]?.[round] ?? { status: 400, body: { error: { message: `Nothing is planned for ${question}/${round + 1}` } } };
}

beforeAll(async () => {
  endpoint = await startScriptedEndpoint(reply);
});
beforeEach(() => {
  asked = [];
});
afterAll(() => endpoint.close());

const FILE = {
  lead: { description: 'Leads.', instructions: 'You lead.', agents: ['reader', 'writer'], handoffs: ['writer', 'loop'] },
  reader: { description: 'Reads.', agents: ['writer'] },
  writer: { description: 'Writes.' },
  loop: { description: 'Asks itself.', agents: ['loop'] },
};

function toolsFor(limits: object = {}, file: object = FILE): readonly DurableTool[] {
  const models = [
    {
      name: 'm',
      endpoint: { baseUrl: endpoint.url, model: 'm', mode: 'native' as const, apiKey: undefined },
      price: { input: 1_000, output: 1_000 },
    },
  ];
  return agentTools({
    settings: { models, fallbacks: [], threadsMaxBytes: 1_000_000, limits: { maxRounds: 5, maxListedTools: 40, ...limits } },
    servers: [],
    agents: parseAgents(JSON.stringify(file), 'agents.json', { models, servers: [] }),
  });
}

async function run(name: string, prompt: string, options: RunToolOptions & { readonly limits?: object; readonly file?: object } = {}) {
  const { limits, file, ...rest } = options;
  const tools = toolsFor(limits, file);
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`There is no agent ${name}.`);
  const ran = await runTool(tool, { prompt }, { tools, ...rest });
  return { ...ran, answer: ran.result.structuredContent as Readonly<Record<string, unknown>> };
}

const LEAD = { 'Plan a trip': [calls(['reader', 'Read'], ['writer', 'Write']), says('Planned.')] };
const OTHERS = { Read: [calls(['writer', 'Note']), says('Read.')], Note: [says('Noted.')], Write: [says('Written.')] };

describe('agents that call each other', () => {
  it('work at the same time, and repeat no model call, at whichever record of the tree a worker dies', async () => {
    plans = { ...LEAD, ...OTHERS };
    const every = ['Note/1', 'Plan a trip/1', 'Plan a trip/2', 'Read/1', 'Read/2', 'Write/1'];
    let runs = 0;
    const { answer, text, spent } = await run('lead', 'Plan a trip', {
      kills: true,
      before: () => {
        asked = [];
      },
      after: ({ killedAt = 'after', spent: counted }) => {
        runs += 1;
        expect(counted, 'parents and children are counted once').toEqual({ tokens: 600, cost: 0.6 });
        // What was not recorded when its worker died is asked again, and nothing else.
        expect(new Set(asked)).toEqual(new Set(every));
        expect(asked.length - every.length, killedAt).toBeLessThanOrEqual(killedAt.startsWith('after') ? 0 : 1);
      },
    });
    expect(runs).toBeGreaterThan(40);
    expect(text).toBe('Planned.');
    expect(spent).toEqual({ tokens: 600, cost: 0.6 });
    expect(answer).toMatchObject({ outcome: 'answered', rounds: 2, usage: { inputTokens: 480, outputTokens: 120 } });
    expect(answer['bill']).toEqual([{ model: 'm', requests: 6, inputTokens: 480, outputTokens: 120, cost: expect.closeTo(0.6) as number }]);
    expect(answer['transcript']).toMatchObject([
      { role: 'system' },
      {},
      {},
      { role: 'tool', content: 'Read.' },
      { role: 'tool', content: 'Written.' },
      {},
    ]);
  });

  it('are all tools of the agent without a name, and only those of its entry of an agent with one', async () => {
    plans = { Go: [says('Done.')] };
    await run('run-agent', 'Go');
    await run('reader', 'Go');
    await run('lead', 'Go');
    const names = endpoint.requests
      .slice(-3)
      .map(({ body }) => (body['tools'] as { function: { name: string } }[] | undefined)?.map((tool) => tool.function.name));
    expect(names).toEqual([
      ['lead', 'reader', 'writer', 'loop'],
      ['writer'],
      ['reader', 'writer', 'transfer_to_writer', 'transfer_to_loop'],
    ]);
  });

  it('give down what is left of their budget, and count what was used in vain', async () => {
    plans = {
      Go: [calls(['reader', 'Read on']), calls(['writer', 'Write']), says('Never asked.')],
      'Read on': Array.from({ length: 9 }, (_, round) => calls(['writer', `Part ${round}`])),
      ...Object.fromEntries(Array.from({ length: 9 }, (_, round) => [`Part ${round}`, [says('A part.')]])),
      Write: [says('Written.')],
    };
    const { answer, spent } = await run('lead', 'Go', { limits: { maxTokens: 450 } });
    // The reader has 350 of the 450, of which it has 50 for its second part: the answer that goes beyond a limit is the last one.
    expect(asked).toEqual(['Go/1', 'Read on/1', 'Part 0/1', 'Read on/2', 'Part 1/1']);
    expect(spent).toEqual({ tokens: 500, cost: 0.5 });
    expect(answer).toMatchObject({ outcome: 'max-tokens', usage: { inputTokens: 400, outputTokens: 100 } });
    expect(JSON.stringify(answer['transcript'])).toContain('Error: Max tokens reached');
  });

  it.each([
    [{ tokens: 150 }, 'max-tokens', { tokens: 200, cost: 0.2 }],
    [{ cost: 0.05 }, 'max-spend', { tokens: 100, cost: 0.1 }],
  ])('end with what they have when the budget of their task is used up: %j', async (budget, outcome, spent) => {
    plans = { Go: Array.from({ length: 9 }, () => calls(['writer', 'Write'])), Write: [says('Written.')] };
    const boss = defineTool({
      name: 'boss',
      description: 'Has an agent work.',
      input: z.object({ prompt: z.string() }),
      task: 'required',
      async run(args, context) {
        const failed = ({ data }: { readonly data: { readonly result: CallToolResult } }) => data.result;
        const { structuredContent } = await context.call('reader', args, { budget }).catch(failed);
        return String(structuredContent?.['outcome']);
      },
    });
    const ran = await runTool(boss, { prompt: 'Go' }, { tools: toolsFor() });
    expect(ran).toMatchObject({ text: outcome, spent });
  });

  it('end by the name of the limit when they call each other without end', async () => {
    plans = { Go: [calls(['loop', 'Go']), says('Gave up.')] };
    const before = endpoint.requests.length;
    const { text } = await run('loop', 'Go');
    expect(text).toBe('Gave up.');
    const said = JSON.stringify(endpoint.requests.slice(before).map(({ body }) => body));
    expect(said).toContain('levels deep (LONGHAUL_MAX_CHILD_DEPTH); this is one more: loop → loop → ');
  });
});

describe('an agent that takes over', () => {
  it.each(['kills', 'no kills'])('gives its answer as the answer of the one before it, which is not asked again: %s', async (kills) => {
    plans = { Go: [calls(['transfer_to_writer', 'Write']), says('Never asked.')], Write: [says('Written.')] };
    const { answer, text, spent } = await run('lead', 'Go', { kills: kills === 'kills' });
    expect(text).toBe('Written.');
    expect(answer).toMatchObject({ outcome: 'answered', rounds: 1 });
    expect((answer['transcript'] as object[]).at(-1)).toEqual({ role: 'assistant', content: 'Written.' });
    expect(asked).not.toContain('Go/2');
    expect(spent).toEqual({ tokens: 200, cost: 0.2 });
  });

  it('is one only, and comes back when it fails', async () => {
    plans = {
      Go: [calls(['transfer_to_writer', 'Nothing'], ['transfer_to_writer', 'Write']), says('Alone, then.')],
      Write: [says('Written.')],
    };
    const { answer, text } = await run('lead', 'Go');
    expect(text).toBe('Alone, then.');
    const results = (answer['transcript'] as { role: string; content: string }[]).filter(({ role }) => role === 'tool');
    expect(results.map(({ content }) => content)).toEqual([
      expect.stringContaining('Nothing is planned for Nothing/1'),
      'Error: Only one agent can take over, and writer is doing so.',
    ]);
  });
});

describe('the list of agents', () => {
  const known = { models: [{ name: 'm' }], servers: [{ name: 'files' }] };
  it.each<[object, string]>([
    [{ 'a b': { description: 'x' } }, 'agents.json: a b: must be 1 to 48 letters'],
    [{ transfer_to_a: { description: 'x' } }, 'agents.json: transfer_to_a: must be 1 to 48 letters'],
    [{ a: {} }, 'agents.json: a.description: '],
    [{ a: { description: 'x', toools: [] } }, 'agents.json: a: Unrecognized key: "toools"'],
    [{ a: { description: 'x', model: 'n' } }, 'agents.json: a.model: there is no "n" in the list of models'],
    [{ a: { description: 'x', servers: ['mail'] } }, 'agents.json: a.servers: there is no "mail" in the list of servers'],
    [{ a: { description: 'x', agents: ['b'] } }, 'agents.json: a.agents: there is no "b" in the list of agents'],
    [{ a: { description: 'x', limits: { maxRounds: 0.5 } } }, 'agents.json: a.limits.maxRounds: '],
    [[], 'agents.json: must be an object of agents'],
  ])('%j is refused: %s', (file, message) => {
    expect(() => parseAgents(JSON.stringify(file), 'agents.json', known)).toThrow(message);
  });

  it('may not be beside a server of their name', () => {
    expect(() => parseAgents(JSON.stringify(FILE), 'agents.json', { models: [], servers: [{ name: 'agents' }] })).toThrow(
      'no server may be named "agents"',
    );
  });
});
