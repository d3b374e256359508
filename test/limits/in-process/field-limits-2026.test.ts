/** Tests fields of requests of revision 2026-07-28 that are too long: the refusal names them, and never repeats them. */
import { FIELD_LIMITS } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { complaintOf, everyKind, LONG_FIELDS } from '../../support/gateway/long-fields.js';
import { ask, KNOWS_TASKS, modernHeaders, send, withEnvelope } from '../../support/gateway-2026/rpc.js';

const { clientBytes, idBytes, listenedBytes, subscriptions, uriBytes } = FIELD_LIMITS;

const service = serviceForTests({ features: everyKind, settings: { bodyLimitBytes: 8 * 1024 * 1024 } });

const x = (bytes: number): string => 'x'.repeat(bytes);
const OWN = [
  { method: 'tasks/update', params: { taskId: x(idBytes + 1), inputResponses: {} }, field: 'params.taskId', maxBytes: idBytes },
  {
    method: 'subscriptions/listen',
    params: { notifications: { resourceSubscriptions: ['test://text', x(uriBytes + 1)] } },
    field: 'params.notifications.resourceSubscriptions[1]',
    maxBytes: uriBytes,
  },
];

describe('a field that is too long', () => {
  it.each([...LONG_FIELDS, ...OWN])('is refused by its name: $field of $method', async (field) => {
    const { status, body } = await ask(service.app, field.method, field.params, { capabilities: KNOWS_TASKS });

    expect({ status, id: body.id, error: body.error }).toEqual({
      status: 400,
      id: 'ask',
      error: { code: -32602, message: complaintOf(field) },
    });
  });

  it('is refused when there are too many', async () => {
    const uris = Array.from({ length: subscriptions + 1 }, (_, n) => `test://${n}`);
    const { body } = await ask(service.app, 'subscriptions/listen', { notifications: { resourceSubscriptions: uris } });

    expect(body.error).toEqual({
      code: -32602,
      message: 'params.notifications.resourceSubscriptions has 1001 URIs; at most 1000 are allowed',
    });
  });

  it('is refused when all URIs and tasks of a stream are too long together', async () => {
    const most = {
      resourceSubscriptions: Array.from({ length: 7 }, () => x(uriBytes)),
      taskIds: Array.from({ length: 32 }, () => x(idBytes)),
    };
    const more = { ...most, taskIds: [...most.taskIds, 'a'] };
    const { body } = await ask(service.app, 'subscriptions/listen', { notifications: more });

    expect(body.error).toEqual({
      code: -32602,
      message: `params.notifications has ${listenedBytes + 1} bytes of URIs and ids of tasks; one stream may name at most ${listenedBytes}. Open several`,
    });
    expect((await ask(service.app, 'subscriptions/listen', { notifications: most })).body.error?.message).not.toContain('one stream');
  });

  it('is refused in the arguments of the tools for clients without tasks, and not repeated', async () => {
    const { body } = await ask(service.app, 'tools/call', { name: 'task_status', arguments: { taskId: x(3_500_000) } });

    expect(body.result).toMatchObject({ isError: true, content: [{ type: 'text', text: 'taskId: expected the id of a task' }] });
  });

  it('is taken at its limit', async () => {
    const params = { name: 'plain', _meta: { progressToken: x(256) } };
    const { body } = await ask(service.app, 'tools/call', params);

    expect(body.result).toMatchObject({ content: [{ text: 'done' }] });
  });
});

describe('the id of a request', () => {
  it('is refused when it is too long, in an answer without one', async () => {
    const request = { jsonrpc: '2.0', id: x(3_500_000), method: 'tools/list', params: withEnvelope({}) };
    const { status, body } = await send(service.app, request, modernHeaders('tools/list'));

    expect({ status, body }).toEqual({
      status: 400,
      body: {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32600, message: 'Invalid Request: "id" has 3500000 bytes; at most 256 are allowed' },
      },
    });
  });
});

describe('what a client says of itself', () => {
  const field = 'params._meta["io.modelcontextprotocol/clientCapabilities"]';

  it.each(['tools/call', 'server/discover', 'subscriptions/listen'])(
    'is refused when it is too much to be recorded: %s',
    async (method) => {
      const params = method === 'tools/call' ? { name: 'later' } : { notifications: {} };
      const { status, body } = await ask(service.app, method, params, { capabilities: { experimental: { x: { text: x(clientBytes) } } } });

      expect(status).toBe(400);
      expect(body.error?.code).toBe(-32602);
      expect(body.error?.message).toContain(`The JSON of ${field} with name and version has `);
      expect(body.error?.message).toContain('; at most 65536 are allowed');
    },
  );

  it.each(['name', 'version'])('is refused when its %s is', async (member) => {
    const params = withEnvelope({ name: 'later' }) as { readonly _meta: object };
    const clientInfo = { name: 'test', version: '1', [member]: x(clientBytes) };
    const _meta = { ...params._meta, 'io.modelcontextprotocol/clientInfo': clientInfo };
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta } };
    const { body } = await send(service.app, request, modernHeaders('tools/call', { name: 'later' }));

    expect(body.error).toMatchObject({ code: -32602, message: expect.stringContaining(field) as string });
  });

  it('is refused when it has more pictures than anybody looks at', async () => {
    const params = withEnvelope({ name: 'plain' }) as { readonly _meta: object };
    const clientInfo = { name: 'test', version: '1', icons: Array.from({ length: 2_000 }, () => ({})) };
    const _meta = { ...params._meta, 'io.modelcontextprotocol/clientInfo': clientInfo };
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta } };
    const { status, body } = await send(service.app, request, modernHeaders('tools/call', { name: 'plain' }));

    expect(status).toBe(400);
    expect(body.error).toEqual({ code: -32602, message: 'params._meta["io.modelcontextprotocol/clientInfo"] has more than 1000 values' });
  });

  it('may have pictures of any size, of which nothing is recorded', async () => {
    const params = withEnvelope({ name: 'plain' }) as { readonly _meta: object };
    const clientInfo = { name: 'test', version: '1', icons: [{ src: `data:image/png;base64,${'A'.repeat(100_000)}` }] };
    const _meta = { ...params._meta, 'io.modelcontextprotocol/clientInfo': clientInfo };
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta } };
    const { body } = await send(service.app, request, modernHeaders('tools/call', { name: 'plain' }));

    expect(body.result).toMatchObject({ content: [{ text: 'done' }] });
  });
});
