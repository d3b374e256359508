/** Tests the judgement of abandoned calls with the manners of the clients that people have. */
import { describe, expect, it } from 'vitest';
import { type AbandonedCall, continuedBy, type Judgement } from './abandoned-call.js';
import { findClient, KNOWN_CLIENTS } from './known-clients.js';

const judged = (name: string, call: Partial<AbandonedCall>, given: Partial<Judgement> = {}) =>
  continuedBy(
    { how: 'cancelled', afterMs: 42_000, hasStreamed: true, ...call },
    { client: findClient(KNOWN_CLIENTS, { name, version: '2' }), setting: 'auto', ...given },
  );

const SDK_V1 = 'McpError: MCP error -32001: Request timed out';

describe('the task continues', () => {
  it.each<[string, Partial<AbandonedCall>, string]>([
    ['claude-ai', { reason: SDK_V1, afterMs: 240_000 }, 'reason'],
    ['Cline', { reason: SDK_V1, afterMs: 60_004 }, 'reason'],
    ['Roo-Code', { reason: SDK_V1, afterMs: 30_000 }, 'reason'],
    ['SDK v1', { reason: SDK_V1 }, 'reason'],
    ['SDK v1', { reason: 'McpError: MCP error -32001: Maximum total timeout exceeded' }, 'reason'],
    ['SDK v2', { reason: 'SdkError: Request timed out' }, 'reason'],
    ['SDK v2, 2026-07-28', { how: 'closed', afterMs: 60_020, hasStreamed: false }, 'time'],
    ['goose', { reason: 'timed out', afterMs: 300_000 }, 'reason'],
    ['rmcp', { reason: 'request timeout' }, 'reason'],
    ['Go', { reason: 'context deadline exceeded' }, 'reason'],
    ['Python 2.x', { reason: 'timed out after 30.0s' }, 'reason'],
    ['a browser', { reason: 'TimeoutError: The operation was aborted due to timeout' }, 'reason'],
    ['Zed', { afterMs: 60_000 }, 'time'],
    ['Anthropic/ClaudeAI', { how: 'closed', afterMs: 59_500, hasStreamed: false }, 'time'],
    ['openai-mcp (ChatGPT)', { how: 'closed', afterMs: 61_000, hasStreamed: false }, 'time'],
    ['cursor-vscode', { how: 'closed', afterMs: 304_000, hasStreamed: true }, 'time'],
    ['claude-code', { reason: 'AbortError: This operation was aborted', afterMs: 352_000 }, 'time'],
    ['Java SDK MCP Client', { how: 'closed', afterMs: 20_300, hasStreamed: false }, 'time'],
    ['OpenAI Agents SDK', { how: 'closed', afterMs: 5_100, hasStreamed: false }, 'time'],
    ['Codex', { how: 'closed', afterMs: 42_000, hasStreamed: true }, 'stream'],
    ['anybody', { how: 'closed', hasStreamed: true }, 'stream'],
    ['anybody that makes a call again', { how: 'closed', hasStreamed: false, hadLeft: true }, 'stream'],
  ])('when %s gives up: %j', (name, call, by) => {
    expect(judged(name, call)).toBe(by);
  });
});

describe('the task ends', () => {
  it.each<[string, Partial<AbandonedCall>]>([
    ['goose', { reason: 'operation cancelled' }],
    ['goose', { reason: 'operation cancelled', afterMs: 300_000 }],
    ['Go', { reason: 'context canceled' }],
    ['Python 2.x', { reason: 'caller cancelled' }],
    ['Visual Studio Code', {}],
    ['Visual Studio Code', { afterMs: 60_000 }],
    ['Zed', {}],
    ['C#', {}],
    ['SDK v1', { reason: 'AbortError: This operation was aborted' }],
    ['SDK v1', { reason: 'User pressed stop', afterMs: 60_000 }],
    ['SDK v1', { reason: 'McpError: MCP error -32001: User pressed stop' }],
    ['claude-code', { reason: 'AbortError: This operation was aborted', afterMs: 200_000 }],
    ['anybody', { reason: '' }],
    ['anybody', { reason: 'enough of this' }],
    ['anybody', { how: 'closed', hasStreamed: false }],
    ['anybody that makes a call again', { reason: 'enough of this', hadLeft: true }],
  ])('when %s stops it: %j', (name, call) => {
    expect(judged(name, call)).toBeUndefined();
  });
});

describe('the deployment and the tool', () => {
  const stop = { reason: 'context canceled' };
  const limit = { reason: SDK_V1 };

  it('decide without looking at the client, and the tool first', () => {
    expect(judged('anybody', stop, { setting: 'continue' })).toBe('setting');
    expect(judged('anybody', limit, { setting: 'cancel' })).toBeUndefined();
    expect(judged('anybody', { how: 'closed', hadLeft: true }, { setting: 'cancel' })).toBeUndefined();
    expect(judged('anybody', stop, { setting: 'cancel', tool: 'continue' })).toBe('tool');
    expect(judged('anybody', limit, { setting: 'continue', tool: 'cancel' })).toBeUndefined();
  });

  it('know the words of a client that the setting names', () => {
    const client = { name: 'acme', timedOut: ['ZEIT'], stopped: ['halt'] };
    expect(judged('acme', { reason: 'Die Zeit ist um' }, { client })).toBe('reason');
    expect(judged('acme', { reason: 'HALT: timed out', afterMs: 60_000 }, { client })).toBeUndefined();
  });
});
