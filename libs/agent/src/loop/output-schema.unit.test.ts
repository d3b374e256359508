import type { JsonObject } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { memoryToolbox } from '../tools/memory-toolbox.fixture.js';
import type { Outcome } from './outcome.js';
import { answerSchemaQuestion } from './output-schema.js';
import { type AgentLimits, runAgent } from './run-agent.js';
import { type Line, type ScriptedModel, scriptedModel } from './scripted-model.fixture.js';
import { virtualHost } from './virtual-host.fixture.js';

const outputSchema = { type: 'object', properties: { year: { type: 'integer' } }, required: ['year'] };

async function runWith(lines: readonly Line[], limits: AgentLimits = {}): Promise<{ outcome: Outcome; model: ScriptedModel }> {
  const model = scriptedModel(lines);
  const host = virtualHost();
  return { model, outcome: await runAgent({ model, toolbox: memoryToolbox({}), host, history: [], prompt: 'Go', outputSchema, limits }) };
}

describe('an answer with an output schema', () => {
  it('is given as data, and the model is asked with the schema', async () => {
    const { outcome, model } = await runWith([{ content: '{"year": 2026}' }]);
    expect(outcome).toMatchObject({ outcome: 'answered', text: '{"year": 2026}', data: { year: 2026 } });
    expect(model.requests[0]?.outputSchema).toEqual(outputSchema);
  });

  it('may stand in a block of Markdown', async () => {
    expect((await runWith([{ content: '```json\n{"year": 2026}\n```' }])).outcome.data).toEqual({ year: 2026 });
  });

  it('is asked for again when it does not fit, with what is wrong', async () => {
    const { outcome, model } = await runWith([{ content: 'In 2026.' }, { content: '{"year": "2026"}' }, { content: '{"year": 2026}' }]);
    expect(outcome).toMatchObject({ outcome: 'answered', data: { year: 2026 }, rounds: 3 });
    expect(model.requests[1]?.messages.at(-1)?.content).toMatch(
      /^The answer does not fit the output schema: it is no JSON: .*\nAnswer again, only with JSON/,
    );
    expect(model.requests[2]?.messages.at(-1)?.content).toContain('data/year must be integer');
  });

  it('ends the run as a bad response when it does not fit the third time, or in the last round', async () => {
    const { outcome } = await runWith([{ content: '{}' }]);
    expect(outcome).toMatchObject({ outcome: 'model-error', errorCode: 'BAD_RESPONSE', rounds: 3 });
    expect(outcome.text).toBe("The answer does not fit the output schema: data must have required property 'year'");
    expect(outcome.transcript.at(-1)).toEqual({ role: 'assistant', content: '{}' });
    expect((await runWith([{ content: '{}' }], { maxRounds: 1 })).outcome).toMatchObject({ outcome: 'model-error', rounds: 1 });
  });

  it('is not asked for again when the tokens are used up', async () => {
    const { outcome } = await runWith([{ content: '{}', usage: { inputTokens: 5, outputTokens: 5 } }], { maxTokens: 10 });
    expect(outcome).toMatchObject({ outcome: 'max-tokens', rounds: 1 });
  });

  it('is refused at once when its schema is one that cannot be checked', async () => {
    const run = { model: scriptedModel([]), toolbox: memoryToolbox({}), host: virtualHost(), history: [], prompt: 'Go' };
    for (const schema of [{ type: 'no-such-type' }, { $ref: '#/nowhere' }, { $async: true }, { $schema: 'https://example.com/dialect' }])
      await expect(runAgent({ ...run, outputSchema: schema })).rejects.toThrow('The output schema is no JSON Schema that can be checked: ');
  });

  it('is refused when it cannot be checked in time: it does not count as fitting', async () => {
    const next = (level: number): object => ({ allOf: [1, 2].map(() => ({ $ref: `#/$defs/d${level + 1}` })) });
    const levels = Object.fromEntries(Array.from({ length: 40 }, (_, level) => [`d${level}`, next(level)]));
    const schema = { $ref: '#/$defs/d0', $defs: { ...levels, d40: { type: 'string' } } } as unknown as JsonObject;
    expect(answerSchemaQuestion({ schema })).toEqual({});
    const run = { model: scriptedModel([{ content: '"x"' }]), toolbox: memoryToolbox({}), host: virtualHost(), history: [], prompt: 'Go' };
    const outcome = await runAgent({ ...run, outputSchema: schema, limits: { maxRounds: 1 } });
    expect(outcome).toMatchObject({ outcome: 'model-error', errorCode: 'BAD_RESPONSE' });
    expect(outcome.text).toContain('it cannot be checked: that takes too long');
  });
});
