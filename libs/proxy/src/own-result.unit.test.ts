import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { ownResult } from './own-result.js';

const content: CallToolResult['content'] = [{ type: 'text', text: 'done', annotations: { priority: 1 }, _meta: { 'x.y/z': 1 } }];

describe('the result of a server', () => {
  it('is passed on as it is', () => {
    const result = { content, structuredContent: { a: [1] }, _meta: { 'x.y/z': { b: 2 } }, isError: false, later: 'member' };
    expect(ownResult(result)).toEqual(result);
  });

  it('says nothing of the connection to the server', () => {
    const _meta = {
      'io.modelcontextprotocol/related-task': { taskId: 'theirs' },
      'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' },
    };
    expect(ownResult({ content, _meta, resultType: 'complete' })).toEqual({ content });
  });

  it.each<[string, object]>([
    ['is a list', { structuredContent: [1] }],
    ['is null', { structuredContent: null }],
    ['belongs to an error', { isError: true, structuredContent: { reason: 'x' } }],
  ])('has no structured content that %s', (_title, more) => {
    expect(ownResult({ content, ...more })).not.toHaveProperty('structuredContent');
  });
});
