import { describe, expect, it } from 'vitest';
import { answerQuestion } from './questions.js';
import { scriptedContext } from './verb-context.fixture.js';

const form = (field: string) => ({ message: '?', requestedSchema: { type: 'object', properties: { [field]: { type: 'integer' } } } });
const APPROVAL = { answerable: false, params: form('approved') };

describe('an answer to all that fits a filter', () => {
  const answerAll = async (pages: readonly (readonly object[])[]) => {
    const sent: unknown[] = [];
    const context = scriptedContext(
      (request, body) => {
        if (request.startsWith('GET /questions')) {
          const at = Number(/cursor=(\d+)/.exec(request)?.[1] ?? 0);
          return { questions: pages[at], ...(at + 1 < pages.length && { cursor: String(at + 1) }) };
        }
        sent.push(body);
        if (request === 'POST /bulk/count') return { matched: 2 };
        return request === 'POST /bulk'
          ? { id: 'b' }
          : 'event: progress\ndata: {"id":"b","state":"done","done":1,"skipped":1,"failed":0,"made":[]}\n\n';
      },
      { words: ['a=1'], flags: { tool: 'T', reason: 'by phone', yes: true } },
    );
    return { code: await answerQuestion(context), sent, out: context.out };
  };

  it('has the form of the first question that operators may answer', async () => {
    const { code, sent } = await answerAll([[APPROVAL], [APPROVAL, { answerable: true, params: form('a') }]]);
    expect(code).toBe(0);
    expect(sent[1]).toMatchObject({ action: 'answer', filter: { tool: 'T' }, answer: { action: 'accept', content: { a: 1 } } });
  });

  it('is given to none where only clients may answer', async () => {
    expect(await answerAll([[APPROVAL]])).toEqual({ code: 0, sent: [], out: ['0 tasks fit'] });
  });
});
