/** Tests that a run by the Responses API is as durable as one by chat completions. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEndpointModel } from '../endpoint/endpoint-model.js';
import { type ScriptedEndpoint, type ScriptedReply, startScriptedEndpoint } from '../testing/scripted-endpoint.js';
import { memoryToolbox } from '../tools/memory-toolbox.fixture.js';
import { type Journal, type JournalHost, journalHost, type Moment } from './journal-host.fixture.js';
import type { Outcome } from './outcome.js';
import { runAgent } from './run-agent.js';

const MOMENTS: readonly Moment[] = ['before', 'done but not recorded', 'recorded'];
const usage = { inputTokens: 100, outputTokens: 10, reasoningTokens: 4 };
const ROUNDS: readonly ScriptedReply[] = [
  { reasoning: 'Both.', encryptedReasoning: 'e1', toolCalls: [1, 2].map((a) => ({ name: 'add', arguments: { a }, id: `c${a}` })), usage },
  { reasoning: 'One more.', encryptedReasoning: 'e2', toolCalls: [{ name: 'add', arguments: { a: 3 }, id: 'c3' }], usage },
  { content: 'Six.', usage },
];

type Item = { readonly type?: string; readonly encrypted_content?: string };

/** The endpoint names its items by the number of the request. */
function withoutIds(outcome: Outcome): unknown {
  return JSON.parse(JSON.stringify(outcome).replaceAll(/"rs_\d+"/g, '""'));
}

describe('a run by the Responses API', () => {
  let endpoint: ScriptedEndpoint;

  beforeEach(async () => {
    endpoint = await startScriptedEndpoint(({ body }) => {
      const thoughts = (body['input'] as readonly Item[]).filter(({ type }) => type === 'reasoning');
      return ROUNDS[thoughts.length] ?? { status: 400, body: 'Too many thoughts' };
    });
  });
  afterEach(() => endpoint.close());

  function runOn(host: JournalHost, maxRounds = 5): Promise<Outcome> {
    const inner = memoryToolbox({ add: {} });
    const model = createEndpointModel({ baseUrl: endpoint.url, model: 'm', api: 'responses', mode: 'native' });
    return runAgent({
      model,
      toolbox: { tools: inner.tools, call: (request, options) => host.step(`tool ${request.id}`, () => inner.call(request, options)) },
      host,
      history: [{ role: 'system', content: 'Add.' }],
      prompt: 'Add',
      price: { input: 1, output: 2 },
      limits: { maxRounds },
    });
  }

  it('ends the same wherever its host dies, repeats nothing that is recorded, and has the same bill', async () => {
    const undisturbed = journalHost(new Map());
    const outcome = await runOn(undisturbed);
    expect(outcome).toMatchObject({
      outcome: 'answered',
      text: 'Six.',
      bill: [{ model: 'm', requests: 3, inputTokens: 300, outputTokens: 30, reasoningTokens: 12, cost: 0.00036 }],
    });
    const last = endpoint.requests[2]?.body['input'] as readonly Item[];
    expect(last.flatMap(({ encrypted_content: thought }) => thought ?? [])).toEqual(['e1', 'e2']);

    for (let operation = 1; operation <= undisturbed.newOperations.length; operation += 1) {
      for (const moment of MOMENTS) {
        const journal: Journal = new Map();
        const first = journalHost(journal, { operation, moment });
        expect(await Promise.race([runOn(first), first.dead])).toBe('dead');
        const recorded = new Set(journal.keys());
        const requests = endpoint.requests.length;
        const second = journalHost(journal);
        expect(withoutIds(await runOn(second)), `operation ${operation}, ${moment}`).toEqual(withoutIds(outcome));
        expect(second.newOperations.filter((key) => recorded.has(key))).toEqual([]);
        const unrecorded = second.newOperations.filter((key) => key.startsWith('model '));
        expect(endpoint.requests.length - requests).toBe(unrecorded.length);
      }
    }
  });

  it('ends by the name of its limit, after the tools ran', async () => {
    expect(await runOn(journalHost(new Map()), 2)).toMatchObject({ outcome: 'max-rounds', text: 'Max iterations reached', rounds: 2 });
  });
});
