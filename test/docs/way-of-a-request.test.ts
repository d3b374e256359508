/** Compares the path of a `tools/call` in docs/internals/architecture.md with the functions that run for one. */
import { Session } from 'node:inspector/promises';
import type { RedisStore } from '@longhaul/store-redis';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateways, type TestGateways } from '../support/gateway/gateways.js';
import { section, tableRows } from './documents.js';

const TOKEN = 'a-token-of-somebody-0001';
const PATH = /((?:apps|libs)\/[^/]+\/src\/[^:?)]+\.ts)/;

/** Files that every request needs, and files that are asked on the path without receiving the call. */
const ON_THE_SIDE =
  /\/(?:http\/(?!mcp-routes)|audit\/audit-(?:trail|writer)|access\/)|^libs\/(?:redis|runtime)\/|\/(?:audit-log|queue-limit|task-load|store-fault|session-belongings|rate-store|task-counters|task-tally)\.ts$/;

/** The name of a link of the chain. */
const LINK = /^create(?:Task|OfCall)?$/;

const rows = tableRows(section('docs/internals/architecture.md', 'The way of a request'));
const filesOf = (column: number): string[] => rows.flatMap((row) => row[column] ?? []).filter((file) => file !== '');

let gateways: TestGateways;
let session: Session;
let sessionId: string;

const headers = (version: string): Record<string, string> => ({
  authorization: `Bearer ${TOKEN}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': version,
});

async function post(more: Record<string, string>, method: string, params: object): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(gateways.first.url, { method: 'POST', headers: { ...headers('2025-11-25'), ...more }, body });
  expect(response.status).toBe(200);
  return response;
}

const CALLS: Readonly<Record<string, () => Promise<Response>>> = {
  '2025-11-25': () => post({ 'mcp-session-id': sessionId }, 'tools/call', { name: 'sleep', arguments: {}, task: {} }),
  '2026-07-28': () => {
    const named = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'sleep' };
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
    };
    return post(named, 'tools/call', { name: 'sleep', arguments: {}, _meta });
  },
};

/** Runs a call. @returns the functions that ran, by file, and the files on the stack of each command that was sent */
async function observed(call: () => Promise<Response>) {
  const stacks: (readonly string[])[] = [];
  const redis = (gateways.first.store as RedisStore).redis as Redis;
  const send = redis.sendCommand.bind(redis);
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  redis.sendCommand = (...args: Parameters<Redis['sendCommand']>) => {
    const frames = (new Error().stack ?? '').split('\n');
    stacks.push(frames.flatMap((frame) => PATH.exec(frame)?.[1] ?? []));
    return send(...args);
  };
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  expect(await (await call()).text()).toContain('taskId');
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  redis.sendCommand = send;
  Error.stackTraceLimit = limit;
  const ran = result.flatMap(({ url, functions }) => {
    const [, file] = PATH.exec(url) ?? [];
    const names = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).map(({ functionName }) => functionName);
    return file === undefined || names.length === 0 ? [] : [{ file, names }];
  });
  return { ran, stacks };
}

beforeAll(async () => {
  gateways = await startGateways({ tokens: new Map([[TOKEN, 'ada']]), auditsCallers: true });
  const clientInfo = { name: 'test', version: '1' };
  const opened = await post({}, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  sessionId = opened.headers.get('mcp-session-id') ?? '';
  await opened.text();
  session = new Session();
  session.connect();
  await session.post('Profiler.enable');
});
afterAll(async () => {
  session.disconnect();
  await gateways.close();
});

describe.each([
  ['2025-11-25', 0],
  ['2026-07-28', 1],
])('the way of a call of %s', (version, column) => {
  it('has at most 20 files, each once, and all of them run', async () => {
    const files = filesOf(column);
    expect(new Set(files).size).toBe(files.length);
    expect(files.length).toBeLessThanOrEqual(20);
    const call = CALLS[version];
    if (call === undefined) throw new Error(`There is no call of ${version}.`);
    // The first call loads and compiles.
    await (await call()).text();
    const { ran } = await observed(call);
    const present = new Set(ran.map(({ file }) => file));
    expect(files.filter((file) => !present.has(file))).toEqual([]);
  });

  it('has every file that passes the call on', async () => {
    const listed = new Set(filesOf(column));
    const isListed = (file: string): boolean => listed.has(file);
    const call = CALLS[version];
    if (call === undefined) throw new Error(`There is no call of ${version}.`);
    const { ran, stacks } = await observed(call);
    const links = ran.filter(({ names }) => names.some((name) => LINK.test(name))).map(({ file }) => file);
    // Other stacks belong to timers.
    const ofCall = stacks.map((files) => files.filter((file) => !ON_THE_SIDE.test(file))).filter((files) => files.some(isListed));
    expect([...links, ...ofCall.flat()].filter((file) => !isListed(file))).toEqual([]);
  });
});
