import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { fakeRequest, FakeSession } from '@longhaul/mcp-features/testing';
import { LocalServers } from '@longhaul/runtime/testing';
import { DEFAULT_DOWNLOAD_LIMITS } from '../download/download-limits.js';
import { SESSION_FILE_LIMITS, sessionFiles } from '../resources/session-files.js';
import { gzipFileAsResource } from './gzip-file-as-resource.js';

const tool = gzipFileAsResource({ limits: DEFAULT_DOWNLOAD_LIMITS });
/** One that may read from the servers of this file. */
const local = gzipFileAsResource({ limits: { ...DEFAULT_DOWNLOAD_LIMITS, allowPrivateAddresses: true } });
const servers = new LocalServers();

afterEach(() => servers.stop());

async function errorOf(args: object, session?: FakeSession, withTool = tool): Promise<unknown> {
  const { isError, content } = await withTool.call(args, fakeRequest(session && { session }));
  return isError === true && content[0]?.type === 'text' ? content[0].text : undefined;
}

describe('gzip-file-as-resource', () => {
  it('links to the compressed file, which the session keeps', async () => {
    const session = new FakeSession();
    const result = await tool.call({ name: 'hello.gz', data: 'data:text/plain,hello' }, fakeRequest({ session }));
    const resource = { uri: 'demo://resource/session/hello.gz', name: 'hello.gz', mimeType: 'application/gzip' };
    expect(result).toEqual({ content: [{ type: 'resource_link', ...resource }] });
    expect(session.changed).toEqual(['resources']);
    const read = await sessionFiles.read({ name: 'hello.gz' }, fakeRequest({ session }), resource.uri);
    const [contents] = read?.contents ?? [];
    expect(contents).toMatchObject({ uri: resource.uri, mimeType: 'application/gzip' });
    expect(contents && 'blob' in contents && gunzipSync(Buffer.from(contents.blob, 'base64')).toString()).toBe('hello');
  });

  it('embeds the compressed file, which the session keeps all the same', async () => {
    const session = new FakeSession();
    const args = { data: 'data:text/plain;base64,aGVsbG8=', outputType: 'resource' };
    const resource = {
      uri: 'demo://resource/session/README.md.gz',
      mimeType: 'application/gzip',
      blob: 'H4sIAAAAAAAAA8tIzcnJBwCGphA2BQAAAA==',
    };
    expect(await tool.call(args, fakeRequest({ session }))).toEqual({ content: [{ type: 'resource', resource }] });
    expect(await sessionFiles.list?.(fakeRequest({ session }))).toHaveLength(1);
  });

  it('is done by four calls at a time, of which each makes room for another one', async () => {
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    const arrived: (() => void)[] = [];
    const port = await servers.start((_request, response) => {
      arrived.shift()?.();
      void mayAnswer.then(() => response.end('x'));
    });
    const data = `http://127.0.0.1:${port}/`;
    const four = Array.from({ length: 4 }, async () => {
      const asked = new Promise<void>((resolve) => arrived.push(resolve));
      const result = local.call({ data, outputType: 'resource' }, fakeRequest());
      await asked;
      return { result };
    });
    const running = await Promise.all(four);
    expect(await errorOf({ data: 'data:,x', outputType: 'resource' }, undefined, local)).toBe(
      'At most 4 files are compressed at the same time. Try again in a moment.',
    );
    answer();
    for (const { result } of running) expect(await result).not.toHaveProperty('isError');
    expect(await errorOf({ data: 'data:,x', outputType: 'resource' }, undefined, local)).toBeUndefined();
  });

  it('shows only the beginning of a host that is not there', async () => {
    const error = await errorOf({ data: `http://${'a'.repeat(1_000_000)}.invalid/` });
    expect(String(error).length).toBeLessThan(1_000);
  });

  it('embeds without a session, but cannot link', async () => {
    const args = { data: 'data:,hello', outputType: 'resource' };
    expect(await tool.call(args, fakeRequest())).toMatchObject({ content: [{ type: 'resource' }] });
    expect(await errorOf({ data: 'data:,hello' })).toBe(
      'outputType "resourceLink" needs a session to keep the file in, and there is none; "resource" works without.',
    );
  });

  it('compresses what a server has, when it may be read from', async () => {
    const port = await servers.start((_request, response) => response.end('from a server'));
    const data = `http://127.0.0.1:${port}/`;
    const { content } = await local.call({ data, outputType: 'resource' }, fakeRequest());
    const [block] = content;
    const blob = block?.type === 'resource' && 'blob' in block.resource ? block.resource.blob : '';
    expect(gunzipSync(Buffer.from(blob, 'base64')).toString()).toBe('from a server');
    expect(await errorOf({ data }, new FakeSession())).toBe(
      `Error processing file ${data}: 127.0.0.1 is not at a public address, and private, local or otherwise special ones are not allowed.`,
    );
  });
});

describe('what gzip-file-as-resource refuses', () => {
  it.each([
    [{ data: 'nope' }, 'Invalid arguments for tool gzip-file-as-resource: data: Invalid URL'],
    [{ name: '' }, 'Invalid arguments for tool gzip-file-as-resource: name: must have 1 to 255 bytes in UTF-8, not 0'],
    [{ name: 'x'.repeat(256) }, 'Invalid arguments for tool gzip-file-as-resource: name: must have 1 to 255 bytes in UTF-8, not 256'],
    [
      { data: 'ftp://a/b' },
      'Error processing file ftp://a/b: Unsupported URL protocol for ftp://a/b. Only http, https, and data URLs are supported.',
    ],
    [{ data: 'data:,12345678901' }, 'Error processing file data:,12345678901: It is larger than 10 bytes, which is the limit.'],
  ])('is an error that names the reason: %j', async (args, message) => {
    const small = gzipFileAsResource({ limits: { ...DEFAULT_DOWNLOAD_LIMITS, maxBytes: 10 } });
    const session = new FakeSession();
    expect(await errorOf(args, session, small)).toBe(message);
    expect(session.values.size).toBe(0);
  });

  it('does not repeat a whole file in its words', async () => {
    const data = `data:,${'x'.repeat(10_000)}`;
    const small = gzipFileAsResource({ limits: { ...DEFAULT_DOWNLOAD_LIMITS, maxBytes: 10 } });
    expect(String(await errorOf({ data }, new FakeSession(), small)).length).toBeLessThan(300);
  });

  it('is a file that is too large even after compression, with and without a session', async () => {
    const file = randomBytes(SESSION_FILE_LIMITS.fileBytes);
    const port = await servers.start((_request, response) => response.end(file));
    const data = `http://127.0.0.1:${port}/`;
    const message = `bytes after compression; the limit is ${SESSION_FILE_LIMITS.fileBytes}.`;
    expect(await errorOf({ data }, new FakeSession(), local)).toContain(message);
    expect(await errorOf({ data, outputType: 'resource' }, undefined, local)).toContain(message);
  });
});
