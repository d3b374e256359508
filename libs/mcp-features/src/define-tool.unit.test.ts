import type { ClientInfo, JsonObject, TaskContext } from '@longhaul/tasks';
import {
  type CallToolResult,
  ElicitRequestURLParamsSchema,
  McpError,
  UrlElicitationRequiredError,
  type ContentBlock,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { callableTool } from './callable-tool.js';
import { defineTool, type DurableToolSpec, type RawSchema } from './define-tool.js';
import { createFeatureRegistry } from './feature-registry.js';
import type { RequestContext } from './request-context.js';
import { taskWithoutClient } from './task-without-client.js';
import { fakeRequest } from './testing/fakes.js';
import { ProtocolError } from './tool-result.js';
import { UrlElicitationRequired } from './url-elicitation-required.js';

const client: ClientInfo = { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} };
const request = { signal: new AbortController().signal, client } as RequestContext;
const page = { mode: 'url' as const, url: 'https://a.example/', message: 'Open it', elicitationId: 'one' };

const inline = (run: () => string) => defineTool({ name: 'inline', description: 'Inline', input: z.object({}), run });
const durable = (run: () => Promise<string>) =>
  defineTool({ name: 'durable', description: 'Durable', input: z.object({}), task: 'optional', run });

function throwing(error: unknown): () => never {
  return () => {
    throw error;
  };
}

describe('what a tool says of its tasks', () => {
  it('is kept as it was written', () => {
    const times = { ttlMs: 1, pollIntervalMs: 2, maxRunMs: 3, maxWaitMs: 4, handOverAfterMs: 0 };
    const options = { ...times, onAbandoned: 'cancel', immediateResponse: 'Begun.' } as const;
    const tool = defineTool({ ...options, name: 'all', description: 'All', input: z.object({}), task: 'required', run: async () => '' });
    expect(tool).toMatchObject(options);
  });

  it('is nothing when nothing was written', () => {
    expect(Object.keys(durable(async () => '')).toSorted()).toEqual([
      'attempt',
      'check',
      'complete',
      'headerParams',
      'kind',
      'listing',
      'name',
      'needs',
      'needsRequest',
      'needsSession',
      'prepare',
      'problemOf',
      'scopes',
      'taskSupport',
      'workflow',
    ]);
  });
});

describe('arguments that a tool completes', () => {
  const counting = (more: Pick<DurableToolSpec<RawSchema, z.ZodObject>, 'prepare'> = {}) =>
    defineTool({
      name: 'counting',
      description: 'Counts',
      input: { type: 'object' },
      task: 'optional',
      complete: (args: JsonObject) => ({ by: 1, ...args }),
      problemOf: (args: JsonObject) => (typeof args['n'] === 'number' ? undefined : 'n: must be a number'),
      run: async () => '',
      ...more,
    });
  const START = { startedBy: 'operator:ada', owner: 'ada', maxTtlMs: 1_000, answersAllowed: false };

  it('are complete before they are prepared, and in a task that no client starts', async () => {
    const tool = counting({ prepare: (args: JsonObject) => ({ ...args, prepared: true }) });
    expect(await tool.prepare?.({ n: 1 }, fakeRequest())).toEqual({ by: 1, n: 1, prepared: true });
    expect(await counting().prepare?.({ n: 1 }, fakeRequest())).toEqual({ by: 1, n: 1 });
    expect(taskWithoutClient(counting(), { ...START, arguments: { n: 1 } })).toMatchObject({ task: { arguments: { by: 1, n: 1 } } });
  });

  it('are refused by what the tool says of them where no client has sent them', () => {
    const problem = { code: 'INVALID_ARGUMENTS', problem: 'n: must be a number' };
    expect(taskWithoutClient(counting(), { ...START, arguments: {} })).toMatchObject({ problem });
    const callable = callableTool(createFeatureRegistry([counting()]), 'counting', 1_000);
    if (typeof callable === 'string') throw new Error(callable);
    expect(callable.problemOf({})).toBe('Invalid arguments for tool counting: n: must be a number');
    expect(callable.problemOf(callable.complete?.({ n: 1 }) ?? {})).toBeUndefined();
  });

  it('need a client only where its request prepares them', () => {
    const tool = counting({ prepare: (args: JsonObject) => args });
    const message = 'Tool counting needs the request of a client: only a client can start it.';
    expect(taskWithoutClient(tool, { ...START, arguments: { n: 1 } })).toEqual({ problem: { code: 'NEEDS_CLIENT', message } });
  });
});

describe('the needs of a tool', () => {
  it('are none by default', () => {
    expect(inline(() => '').needs).toEqual([]);
    expect(durable(async () => '').needs).toEqual([]);
  });

  it('are not shown in the listing', () => {
    const tool = defineTool({ name: 'ask', description: 'Asks', input: z.object({}), needs: ['roots'], run: () => '' });
    expect(tool.needs).toEqual(['roots']);
    expect(tool.listing).not.toHaveProperty('needs');
  });
});

describe('a tool that needs a page to be opened first', () => {
  it('says so with the code and the data of the specification', () => {
    const error = new UrlElicitationRequired([page]);
    expect(error).toMatchObject({ name: 'UrlElicitationRequired', code: -32042, message: 'URL elicitation required' });
    expect(error).toBeInstanceOf(ProtocolError);
    const received = McpError.fromError(error.code, error.message, error.data);
    expect(received).toBeInstanceOf(UrlElicitationRequiredError);
    expect((received as UrlElicitationRequiredError).elicitations.map((one) => ElicitRequestURLParamsSchema.parse(one))).toEqual([page]);
  });

  it('counts the pages in its message, unless it was given one', () => {
    expect(new UrlElicitationRequired([page, page]).message).toBe('URL elicitations required');
    expect(new UrlElicitationRequired([page], 'Log in first.').message).toBe('Log in first.');
  });

  it('throws that out of an inline call', async () => {
    const error = new UrlElicitationRequired([page]);
    await expect(inline(throwing(error)).call({}, request)).rejects.toBe(error);
  });

  it('throws that out of a workflow', async () => {
    const error = new UrlElicitationRequired([page]);
    await expect(durable(throwing(error)).workflow.run({}, { client } as TaskContext)).rejects.toBe(error);
  });
});

describe('a tool that continues as new', () => {
  it('gets the error of wrong arguments where it gives them', async () => {
    const continued: unknown[] = [];
    const context = { client, continueAsNew: async (args: unknown) => void continued.push(args) } as unknown as TaskContext;
    const { workflow } = defineTool({
      name: 'pages',
      description: 'Pages',
      input: z.object({ page: z.number() }),
      task: 'required',
      run: ({ page }, { continueAsNew }) => continueAsNew(page === 1 ? { page: 2 } : { page: 'three' }),
    });
    await workflow.run({ page: 1 }, context);
    expect(continued).toEqual([{ page: 2 }]);
    await expect(workflow.run({ page: 2 }, context)).rejects.toThrow('continueAsNew: Invalid arguments for tool pages: page');
  });
});

describe('something thrown by an inline tool', () => {
  it('is a JSON-RPC error when its code is a number, of any class', async () => {
    const thrown = new UrlElicitationRequiredError([page], 'Log in first.');
    const error: unknown = await inline(throwing(thrown))
      .call({}, request)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toMatchObject({ code: -32042, data: { elicitations: [page] } });
  });

  it.each([
    ['an error', new Error('no disk'), 'no disk'],
    ['an error of the system', Object.assign(new Error('no file'), { code: 'ENOENT' }), 'no file'],
    ['a timeout, whose code is the one of a DOMException', new DOMException('too slow', 'TimeoutError'), 'too slow'],
    ['no error at all', 'a text', 'a text'],
  ])('is a result with its text when it is %s', async (_what, thrown, text) => {
    expect(await inline(throwing(thrown)).call({}, request)).toEqual({ isError: true, content: [{ type: 'text', text }] });
  });
});

describe('a tool with a raw schema', () => {
  const input = { type: 'object' as const, properties: { any: { type: 'string', maxLength: 3 } }, required: ['any'] };
  const raw = defineTool({ name: 'raw', description: 'Raw', input, run: (args) => JSON.stringify(args) });

  it('lists it word for word', () => {
    expect(raw.listing.inputSchema).toBe(input);
  });

  it('gets the arguments as they came, unchecked', async () => {
    expect(raw.check({ any: 'too long', more: 1 })).toEqual({ ok: true, value: { any: 'too long', more: 1 } });
    expect(await raw.call({ other: 1 }, request)).toEqual({ content: [{ type: 'text', text: '{"other":1}' }] });
    const nothing: unknown = undefined;
    expect(await raw.call(nothing, request)).toEqual({ content: [{ type: 'text', text: '{}' }] });
  });
});

describe('what a tool returns', () => {
  const output = z.object({ size: z.number() });
  const returning = (value: string | number | boolean | Record<string, unknown> | readonly ContentBlock[]) =>
    defineTool({ name: 'any', description: 'Any', input: z.object({}), run: () => value }).call({}, request);

  it.each<[string, string | number | boolean | Record<string, unknown>, string]>([
    ['a string', 'text', 'text'],
    ['a number', 7, '7'],
    ['a boolean', false, 'false'],
    ['an object', { one: [1] }, '{"one":[1]}'],
  ])('is a text: %s', async (_what, value, text) => {
    expect(await returning(value)).toEqual({ content: [{ type: 'text', text }] });
  });

  it('is the content itself when it is an array of it', async () => {
    const content = [
      { type: 'text' as const, text: 'a' },
      { type: 'image' as const, data: 'aGk=', mimeType: 'image/png' },
    ];
    expect(await returning(content)).toEqual({ content });
  });

  it('stays as it is when it is a full result', async () => {
    const result = { content: [], isError: true };
    expect(await returning(result)).toBe(result);
  });

  it('is structured content where there is an output schema, which it has to fit', async () => {
    const sized = (size: unknown) =>
      defineTool({ name: 'size', description: 'Size', input: z.object({}), output, run: () => ({ size: size as number }) }).call(
        {},
        request,
      );
    expect(await sized(3)).toEqual({ content: [{ type: 'text', text: '{"size":3}' }], structuredContent: { size: 3 } });
    expect(await sized('x')).toMatchObject({ isError: true });
  });

  it('has to fit the output schema in a full result as well, unless that says it is an error', async () => {
    const full = (rest: Partial<CallToolResult>) =>
      defineTool({ name: 'size', description: 'Size', input: z.object({}), output, run: () => ({ content: [], ...rest }) }).call(
        {},
        request,
      );
    expect(await full({ structuredContent: { size: 3, more: 4 } })).toEqual({ content: [], structuredContent: { size: 3 } });
    expect(await full({ structuredContent: { size: 'x' } })).toMatchObject({ isError: true });
    expect(await full({})).toMatchObject({ isError: true });
    expect(await full({ isError: true })).toEqual({ content: [], isError: true });
  });
});
