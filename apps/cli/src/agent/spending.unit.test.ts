import { type ChatModel, createProcessHost, ModelError, nameTools, type Toolbox } from '@longhaul/agent';
import { describe, expect, it } from 'vitest';
import { Session } from './session.js';
import { Spending } from './spending.js';

const PRICE = { input: 1, output: 1 };
const usage = { inputTokens: 300_000, outputTokens: 0 };
const toolbox: Toolbox = { tools: nameTools([]), call: () => Promise.reject(new Error('There is no tool.')) };
const { signal } = createProcessHost();
const request = { messages: [], tools: [] };

function modelOf(complete: ChatModel['complete']): ChatModel {
  return { name: 'm', takesImages: false, complete };
}

describe('the limit of spend', () => {
  it('is that of a conversation: of its questions, and of what servers ask the model', async () => {
    const model = modelOf(() => Promise.resolve({ content: 'Yes.', toolCalls: [], mode: 'native', usage }));
    const spending = new Spending({ maxSpend: 0.5, price: PRICE });
    const session = new Session({ model, toolbox, limits: {}, spending, systemPrompt: undefined });
    expect(await session.ask('First?', signal, () => undefined)).toMatchObject({ outcome: 'answered' });
    expect(spending.left).toBeCloseTo(0.2);
    await spending.forServers(model).complete(request, { signal });
    await expect(spending.forServers(model).complete(request, { signal })).rejects.toThrow('Max spend reached');
    expect(await session.ask('Second?', signal, () => undefined)).toMatchObject({ outcome: 'max-spend', rounds: 0 });
  });

  it('counts what servers used in vain', async () => {
    const spending = new Spending({ maxSpend: 0.5, price: PRICE });
    const model = modelOf(() => Promise.reject(new ModelError('BAD_RESPONSE', 'nothing', undefined, usage)));
    await expect(spending.forServers(model).complete(request, { signal })).rejects.toThrow('nothing');
    expect(spending.left).toBeCloseTo(0.2);
  });

  it('is none without a price', () => {
    const spending = new Spending({ maxSpend: 0, price: undefined });
    spending.add(usage);
    expect(new Spending({ maxSpend: undefined, price: PRICE }).left).toBe(Infinity);
    expect(spending.left).toBe(0);
  });
});
