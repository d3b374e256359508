import { z } from 'zod';
import { call, type Probe } from '../support/probe.js';

const FILE = 'data:text/plain;base64,SGVsbG8h';

/** Tools that answer by themselves. */
export const tools: readonly Probe[] = [
  call('echo', { message: 'Hello' }),
  call('echo', { message: '' }),
  call('echo', { message: 'ünïcödé 🎉\nand a line' }),
  call('echo', { message: 'Hello', unknown: 1 }),
  call('echo', { message: 1 }),
  call('echo', {}),
  call('echo'),
  call('no-such-tool', {}),
  ...['error', 'success', 'debug'].flatMap((messageType) => [
    call('get-annotated-message', { messageType }),
    call('get-annotated-message', { messageType, includeImage: true }),
  ]),
  call('get-annotated-message', { messageType: 'warning' }),
  call('get-annotated-message', { messageType: 'error', includeImage: 'yes' }),
  call('get-annotated-message', {}),
  {
    name: 'get-env {}, but for what it is about',
    async run(client) {
      const result = await client.request('tools/call', { name: 'get-env', arguments: {} });
      const { content } = z.object({ content: z.tuple([z.object({ text: z.string() })]) }).parse(result);
      const { PATH } = z.looseObject({ PATH: z.string() }).parse(JSON.parse(content[0].text));
      return { ...result, content: [{ ...content[0], text: PATH }], isPretty: content[0].text.startsWith('{\n  "') };
    },
  },
  call('get-resource-links', {}),
  ...[1, 2, 10, 2.5, 0, 11, '3'].map((count) => call('get-resource-links', { count })),
  call('get-resource-reference', {}),
  call('get-resource-reference', { resourceType: 'Text', resourceId: 7 }),
  call('get-resource-reference', { resourceType: 'Blob', resourceId: 8 }),
  call('get-resource-reference', { resourceType: 'text', resourceId: 1 }),
  ...[0, -1, 1.5, '1'].map((resourceId) => call('get-resource-reference', { resourceId })),
  ...['New York', 'Chicago', 'Los Angeles', 'Bergen'].map((location) => call('get-structured-content', { location })),
  call('get-structured-content', {}),
  call('get-sum', { a: 1, b: 2 }),
  call('get-sum', { a: 0.1, b: 0.2 }),
  call('get-sum', { a: -1e308, b: -1e308 }),
  call('get-sum', { a: 1, b: '2' }),
  call('get-sum', { a: 1 }),
  call('get-tiny-image', {}),
  call('get-tiny-image'),
  call('gzip-file-as-resource', { name: 'hello.txt.gz', data: FILE, outputType: 'resource' }),
  call('gzip-file-as-resource', { name: 'hello.txt.gz', data: FILE, outputType: 'resourceLink' }),
  call('gzip-file-as-resource', { data: FILE }),
  call('gzip-file-as-resource', { name: 'empty.gz', data: 'data:,', outputType: 'resource' }),
  call('gzip-file-as-resource', { name: 'a b/c.gz', data: FILE }),
  call('gzip-file-as-resource', { name: 'file.gz', data: 'file:///etc/hostname' }),
  call('gzip-file-as-resource', { name: 'file.gz', data: 'no URL' }),
  call('gzip-file-as-resource', { name: 'file.gz', data: FILE, outputType: 'link' }),
  call('trigger-long-running-operation', { duration: 0.2, steps: 2 }),
  call('trigger-long-running-operation', { duration: 0, steps: 1 }),
  call('trigger-long-running-operation', { duration: '1' }),
];
