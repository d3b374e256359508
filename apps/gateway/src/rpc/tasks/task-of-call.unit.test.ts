import { defineTool, type TaskOptions } from '@longhaul/mcp-features';
import type { JsonObject } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { callWith } from '../call.fixture.js';
import { silentOperation } from '../operation.js';
import { taskToCreate } from './task-of-call.js';

const HOUR_MS = 3_600_000;
const toolWith = (options: TaskOptions = {}) =>
  defineTool({ ...options, name: 'work', description: 'Works', input: z.object({}), task: 'optional', run: async () => '' });

const TERMS = { owners: { ownerOf: () => undefined }, maxTtlMs: HOUR_MS, keptQuestions: [] };

const call = callWith(undefined, { roots: {} });

describe('the task that a call becomes', () => {
  it('names its call and its client, and has the limits of the server', () => {
    expect(taskToCreate(toolWith(), { name: 'work', arguments: { a: 1 }, task: {} }, call, TERMS)).toEqual({
      tool: 'work',
      arguments: { a: 1 },
      owner: 'ada',
      sessionId: 's',
      client: { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: { roots: {} }, name: 'c', version: '1' },
      ttlMs: 300_000,
      pollIntervalMs: 1_000,
      maxRunMs: 7 * 24 * HOUR_MS,
      maxWaitMs: 24 * HOUR_MS,
    });
  });

  it('says whose records it works on, where that is known', () => {
    const recordOwner = { id: 'session:s', account: 'address:a', idleMs: 1_000 };
    const terms = { ...TERMS, owners: { ownerOf: () => recordOwner } };
    expect(taskToCreate(toolWith(), { name: 'work' }, call, terms)).toMatchObject({ recordOwner });
  });

  it('has the limits of its tool where it has any', () => {
    const limits = { ttlMs: 1_000, pollIntervalMs: 2_000, maxRunMs: 3_000, maxWaitMs: 4_000 };
    expect(taskToCreate(toolWith(limits), { name: 'work', task: {} }, call, TERMS)).toMatchObject(limits);
  });

  it('keeps the questions that the deployment allows, of kinds of which its client does not take every one', () => {
    const terms = { ...TERMS, keptQuestions: ['elicitation', 'sampling', 'roots'] as const };
    const keptOf = (capabilities: JsonObject) =>
      taskToCreate(toolWith(), { name: 'work' }, callWith(undefined, capabilities), terms).keptQuestions;
    expect(keptOf({})).toEqual(['elicitation', 'sampling', 'roots']);
    expect(keptOf({ elicitation: {}, sampling: { tools: {} }, roots: {} })).toEqual(['elicitation', 'sampling']);
    expect(keptOf({ elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} })).toBeUndefined();
  });

  it('is implicit when the call did not ask for one', () => {
    expect(taskToCreate(toolWith(), { name: 'work' }, call, TERMS)).toMatchObject({ implicit: true, arguments: {} });
  });

  it('keeps its idempotency key, its progress token and its trace', () => {
    const _meta = { progressToken: 7, 'longhaul/idempotencyKey': 'once' };
    const operation = silentOperation({ traceparent: '00-1-2-01', tracestate: 'a=1', baggage: 'b=2' });
    const task = taskToCreate(toolWith(), { name: 'work', _meta }, { ...call, operation }, TERMS);
    expect(task).toMatchObject({ progressToken: 7, idempotencyKey: 'once', trace: '00-1-2-01', traceState: 'a=1', baggage: 'b=2' });
  });

  it.each<[string, number | null | undefined, number]>([
    ['what the caller asks for', 5_000, 5_000],
    ['a whole number', 1.6, 2],
    ['at least 1 ms', 0, 1],
    ['not more than allowed', 2 * HOUR_MS, HOUR_MS],
    ['as long as allowed when there is to be no end', null, HOUR_MS],
    ['as long as the tool says when the caller names none', undefined, 1_000],
  ])('is kept for %s', (_what, ttl, ttlMs) => {
    expect(taskToCreate(toolWith({ ttlMs: 1_000 }), { name: 'work', task: { ttl } }, call, TERMS).ttlMs).toBe(ttlMs);
  });
});
