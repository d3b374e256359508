/** Tests the questions of a process during several calls at the same time, where nothing in a question says which call asks. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConnectedServer } from '@longhaul/servers';
import { textOf } from '../../client/support/clients.js';
import { waitUntil } from '../../support/wait-until.js';
import { oddServer } from '../support/odd-server.js';
import { ServersPlace } from '../support/servers.js';

let place: ServersPlace;
beforeEach(() => {
  place = new ServersPlace();
});
afterEach(() => place.close());

/** `ask` asks for roots and answers with the first one, `look` answers at once, and `hold` when `release` is called. */
const asking = (inQuestion: string): object =>
  oddServer({
    first: `
      const asks = new Map();
      let held, most = 0;
      process.stdin.on('data', (data) => {
        for (const line of String(data).split('\\n')) if (line.includes('"id":"question')) {
          const { id, result, error } = JSON.parse(line);
          say({ id: asks.get(id), result: { content: [{ type: 'text', text: result?.roots[0].uri ?? error.message }] } });
          asks.delete(id);
        }
      });`,
    answers: `
      if (method === 'tools/list') return { tools: ['ask', 'look', 'hold', 'release', 'most'].map(tool) };
      if (method !== 'tools/call') return;
      if (params.name === 'hold') { held = id; return 'none'; }
      if (params.name === 'release') say({ id: held, result: { content: [] } });
      if (params.name === 'most') return { content: [{ type: 'text', text: String(most) }] };
      if (params.name !== 'ask') return { content: [] };
      const question = 'question of ' + id;
      asks.set(question, id);
      most = Math.max(most, asks.size);
      say({ id: question, method: 'roots/list', params: { _meta: { ${inQuestion} } } });
      return 'none';`,
  });

/** A handler that answers with the call that it was asked for, when the condition is true. */
const answering = (condition: (seen: readonly (string | undefined)[]) => Promise<unknown>) => {
  const seen: (string | undefined)[] = [];
  return {
    seen,
    roots: async ({ callId }: { readonly callId?: string }) => {
      seen.push(callId);
      await condition(seen);
      return [{ uri: `file:///${callId}` }];
    },
  };
};
const atOnce = (): Promise<void> => Promise.resolve();

describe('a question during several calls', () => {
  it('is one of the call whose progress token it has', async () => {
    const server = await place.one(
      asking('progressToken: params._meta.progressToken'),
      answering((seen) => waitUntil(() => seen.length === 3, { description: 'all of them have asked' })),
    );
    const ask = (callId: string) => server.callTool('ask', {}, { callId, onProgress: () => undefined });
    const results = await Promise.all(['a', 'b', 'c'].map(ask));
    expect(results.map(textOf)).toEqual(['file:///a', 'file:///b', 'file:///c']);
  });

  it('that says nothing is one of the call that is left when the others have ended', async () => {
    const server = await place.one(asking(''), answering(atOnce));
    const held = server.callTool('hold', {}, { callId: 'held' });
    const asked = server.callTool('ask', {}, { callId: 'asking' });
    await server.callTool('release', {});
    await held;
    expect(textOf(await asked)).toBe('file:///asking');
  });

  it('that says nothing is answered each to its own call, because tools that have asked are called one after the other', async () => {
    // What was sent before is at the server when that has answered something later.
    const handlers = answering(() => server.callTool('look', {}));
    const server: ConnectedServer = await place.one(asking(''), handlers);
    await server.callTool('ask', {}, { callId: 'first' });
    const held = server.callTool('hold', {}, { callId: 'held' });
    const calls = ['a', 'b', 'c'].map((callId) => server.callTool('ask', {}, { callId }));
    await server.callTool('look', {});
    expect((await Promise.all(calls)).map(textOf)).toEqual(['file:///a', 'file:///b', 'file:///c']);
    expect(handlers.seen).toEqual(['first', 'a', 'b', 'c']);
    expect(textOf(await server.callTool('most', {}))).toBe('1');
    await server.callTool('release', {});
    await held;
  });
});
