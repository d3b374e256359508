import { describe, expect, it } from 'vitest';
import { shortAnswer } from './short-answer.js';

const RESPONSE = '{"jsonrpc":"2.0","id":1,"result":{}}';

function stream(chunks: readonly string[], headers: Record<string, string> = {}): Response {
  const body = ReadableStream.from(chunks.map((chunk) => new TextEncoder().encode(chunk)));
  return new Response(body, { headers: { 'content-type': 'text/event-stream', 'mcp-session-id': 's', ...headers } });
}

describe('the answer to a message', () => {
  it.each([
    ['with its name and its id', [`event: message\nid: 1_2\ndata: ${RESPONSE}\n\n`]],
    ['with other ends of lines', [`data:${RESPONSE}\r\n\r\n`]],
    ['before something else', [`data: ${RESPONSE}\n\n`, ': bye\n\n']],
  ])('that is a stream which begins with the response is JSON: %s', async (_, chunks) => {
    const answer = await shortAnswer(stream(chunks));
    expect([answer.headers.get('content-type'), answer.headers.get('mcp-session-id')]).toEqual(['application/json', 's']);
    expect(await answer.text()).toBe(RESPONSE);
  });

  it.each([
    ['another message', ['data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n', `data: ${RESPONSE}\n\n`]],
    ['a request of the server', ['data: {"jsonrpc":"2.0","id":1,"method":"ping"}\n\n']],
    ['an event without data', ['id: 1\ndata: \n\n', `data: ${RESPONSE}\n\n`]],
    ['a part of the response', [`data: ${RESPONSE}`, '\n\n']],
    ['two events', [`data: ${RESPONSE}\n\ndata: ${RESPONSE}\n\n`]],
    ['an event of another name', [`event: ping\ndata: ${RESPONSE}\n\n`]],
    ['what is no JSON', ['data: {\n\n']],
    ['data in two lines', ['data: {"id":1,\ndata: "result":{}}\n\n']],
    ['nothing', []],
  ])('stays a stream that begins with %s', async (_, chunks) => {
    const answer = await shortAnswer(stream(chunks));
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(await answer.text()).toBe(chunks.join(''));
  });

  it('is as it came where it is no stream', async () => {
    const json = new Response(RESPONSE, { headers: { 'content-type': 'application/json', 'content-length': `${RESPONSE.length}` } });
    expect(await shortAnswer(json)).toBe(json);
    const large = new Response('x'.repeat(33 * 1024 * 1024), { headers: { 'content-type': 'application/json' } });
    await expect((await shortAnswer(large)).text()).rejects.toThrow('more than 33554432 bytes');
    const refused = new Response('data: no\n\n', { status: 404, headers: { 'content-type': 'text/event-stream' } });
    expect(await (await shortAnswer(refused)).text()).toBe('data: no\n\n');
  });
});
