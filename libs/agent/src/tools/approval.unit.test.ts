import type { ApprovalPolicy } from '@longhaul/servers';
import { describe, expect, it } from 'vitest';
import { type Approval, type AskApproval, withApproval } from './approval.js';
import { memoryToolbox, type MemoryToolbox, textResult } from './memory-toolbox.fixture.js';
import type { Toolbox } from './toolbox.js';

const { signal } = new AbortController();

function tools(): MemoryToolbox {
  return memoryToolbox({ read: { annotations: { readOnlyHint: true } }, write: { annotations: { readOnlyHint: false } }, unknown: {} });
}

function callNamed(toolbox: Toolbox, name: string, id = 'a'): Promise<unknown> {
  const tool = toolbox.tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`No tool ${name}`);
  return toolbox.call({ id, tool, arguments: {} }, { signal });
}

/** Answers each question as written down, the last answer again and again, and remembers who was asked for. */
function answering(...answers: readonly Approval[]): { asked: string[]; ask: AskApproval } {
  const asked: string[] = [];
  return {
    asked,
    ask: async ({ id, tool }) => (asked.push(`${tool.name} ${id}`), answers[Math.min(asked.length, answers.length) - 1] ?? 'no'),
  };
}

describe('a toolbox with approval', () => {
  it('asks as the policy of each tool says; "writes" for all that do not say that they only read', async () => {
    const askedBy: Record<ApprovalPolicy, readonly string[]> = {
      always: ['read a', 'write a', 'unknown a'],
      writes: ['write a', 'unknown a'],
      never: [],
    };
    for (const [policy, expected] of Object.entries(askedBy)) {
      const { asked, ask } = answering('once');
      const toolbox = withApproval(tools(), () => policy as ApprovalPolicy, ask);
      for (const name of ['read', 'write', 'unknown']) await callNamed(toolbox, name);
      expect(asked).toEqual(expected);
    }
  });

  it('asks again after "once", and never again for this tool after "always"', async () => {
    const { asked, ask } = answering('once', 'always', 'once');
    const inner = tools();
    const toolbox = withApproval(inner, () => 'always', ask);
    for (const id of ['1', '2', '3']) await callNamed(toolbox, 'write', id);
    await callNamed(toolbox, 'read', '4');
    expect(asked).toEqual(['write 1', 'write 2', 'read 4']);
    expect(inner.called).toHaveLength(4);
  });

  it('does not call what is refused, and says so', async () => {
    const inner = tools();
    const toolbox = withApproval(inner, () => 'always', answering('no').ask);
    await expect(callNamed(toolbox, 'write')).rejects.toThrow('The user does not allow this call of write.');
    expect(inner.called).toEqual([]);
  });

  it('asks for one call at a time in their order, and an "always" answers those that wait', async () => {
    let asking = 0;
    const asked: string[] = [];
    const toolbox = withApproval(
      tools(),
      () => 'always',
      async ({ id }) => {
        asking += 1;
        expect(asking).toBe(1);
        asked.push(id);
        await new Promise((resolve) => setImmediate(resolve));
        asking -= 1;
        return id === '1' ? 'once' : 'always';
      },
    );
    await Promise.all([
      callNamed(toolbox, 'write', '1'),
      callNamed(toolbox, 'write', '2'),
      callNamed(toolbox, 'write', '3'),
      callNamed(toolbox, 'read', '4'),
    ]);
    expect(asked).toEqual(['1', '2', '4']);
  });

  it('lets a call that needs no approval pass a question that nobody has answered yet', async () => {
    const toolbox = withApproval(
      tools(),
      () => 'writes',
      () => new Promise<never>(() => undefined),
    );
    void callNamed(toolbox, 'write');
    expect(await callNamed(toolbox, 'read')).toEqual(textResult('{}'));
  });

  it('asks the next one also when a question has failed', async () => {
    let count = 0;
    const toolbox = withApproval(
      tools(),
      () => 'always',
      async () => {
        count += 1;
        if (count === 1) throw new Error('The client is gone.');
        return 'once';
      },
    );
    const [first, second] = await Promise.allSettled([callNamed(toolbox, 'write', '1'), callNamed(toolbox, 'write', '2')]);
    expect(first).toMatchObject({ status: 'rejected', reason: { message: 'The client is gone.' } });
    expect(second.status).toBe('fulfilled');
  });

  describe('whose call the person changes', () => {
    const schema = { type: 'object' as const, properties: { text: { type: 'string' } }, required: ['text'] };
    const changing = async (given: readonly Approval[], isGood = true) => {
      const inner = memoryToolbox({
        write: {
          inputSchema: schema,
          act: ({ arguments: args }) => {
            if (!isGood) throw new Error('It is full.');
            return textResult(JSON.stringify(args));
          },
        },
      });
      const problems: (string | undefined)[] = [];
      const edits: object[] = [];
      const toolbox = withApproval(
        inner,
        () => 'always',
        async (_request, _signal, problem) => (problems.push(problem), given[problems.length - 1] ?? 'no'),
      );
      const [tool] = toolbox.tools;
      if (tool === undefined) throw new Error('no tool');
      const call = () =>
        toolbox.call({ id: 'a', tool, arguments: { text: 'a' } }, { signal, onEdit: (changed) => void edits.push(changed) });
      return { call, problems, edits, inner };
    };
    const edited = (args: string, isAlways = false): Approval => ({ arguments: args, isAlways });

    it('is made with the changed arguments, which the model is told', async () => {
      const { call, edits } = await changing([edited('{"text":"🦉"}')]);
      expect(await call()).toEqual({
        content: [
          { type: 'text', text: '[The user has changed the arguments of this call to {"text":"🦉"}]' },
          { type: 'text', text: '{"text":"🦉"}' },
        ],
      });
      expect(edits).toEqual([{ text: '🦉' }]);
    });

    it('is as it was where nothing is changed, and an "always" holds for later calls as the model writes them', async () => {
      const { call, problems, edits } = await changing([edited(' { "text" : "a" } '), edited('{"text":"b"}', true)]);
      expect(await call()).toEqual(textResult('{"text":"a"}'));
      await call();
      expect(await call()).toEqual(textResult('{"text":"a"}'));
      expect(problems).toHaveLength(2);
      expect(edits).toEqual([{ text: 'b' }]);
    });

    it('is asked for again with what is wrong, and not made after five times', async () => {
      const { call, problems, inner } = await changing(['{', '[]', '{"text":5}', '{}', '7', '8'].map((args) => edited(args)));
      await expect(call()).rejects.toThrow('The user does not allow this call of write.');
      expect(problems).toEqual([
        undefined,
        expect.stringContaining('they are no JSON'),
        'they have to be a JSON object',
        expect.stringContaining('text'),
        expect.stringContaining('text'),
      ]);
      expect(inner.called).toEqual([]);
    });

    it('says to the model that it was changed also where it fails', async () => {
      const { call } = await changing([edited('{"text":"b"}')], false);
      await expect(call()).rejects.toThrow('[The user has changed the arguments of this call to {"text":"b"}]\nIt is full.');
    });
  });
});
