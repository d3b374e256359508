import { beforeAll, describe, expect, it } from 'vitest';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { listedFeatures } from '../../support/gateway/listed-features.js';
import { rpcSession, type RpcSession } from '../../support/gateway/rpc.js';

let session: RpcSession;

const service = serviceForTests({ features: listedFeatures, settings: { pageSize: 2 } });
beforeAll(async () => {
  session = await rpcSession(service.app);
  for (const city of ['Paris', 'Lyon', 'Nice']) await session.call('tools/call', { name: 'visit', arguments: { city } });
});

const LISTS = [
  { list: 'tools/list', member: 'tools', names: ['visit', 'a', 'b', 'c', 'd'] },
  { list: 'prompts/list', member: 'prompts', names: ['greeting', 'dialogue', 'full', 'needy', 'fault'] },
  { list: 'resources/list', member: 'resources', names: ['text', 'bytes', 'json', 'full', 'needy', 'Lyon', 'Nice', 'Paris'] },
  { list: 'resources/templates/list', member: 'resourceTemplates', names: ['city', 'needy', 'fault', 'none'] },
];

describe.each(LISTS)('$list', ({ list, member, names }) => {
  it('comes in pages, each of which leads to the next one', async () => {
    const pages: string[][] = [];
    for (let cursor: unknown, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const { result } = await session.call(list, cursor === undefined ? undefined : { cursor });
      pages.push(((result?.[member] ?? []) as { name: string }[]).map(({ name }) => name));
      cursor = result?.['nextCursor'];
    }

    expect(pages.map((page) => page.length)).toEqual([2, 2, ...(names.length === 8 ? [2, 2] : names.length === 5 ? [1] : [])]);
    expect(pages.flat()).toEqual(names);
  });

  it.each(['', 'nonsense', 'MA', Buffer.from('from:0').toString('base64url'), Buffer.from('from:-2').toString('base64url'), '%'])(
    'refuses the cursor "%s", which was never given out',
    async (cursor) => {
      expect((await session.call(list, { cursor })).error).toEqual({ code: -32602, message: 'Invalid cursor' });
    },
  );

  it('refuses a cursor that is no text, and names it', async () => {
    expect((await session.call(list, { cursor: 2 })).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('cursor') as string,
    });
  });
});
