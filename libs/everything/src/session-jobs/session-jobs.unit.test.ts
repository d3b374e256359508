import { describe, expect, it } from 'vitest';
import type { SessionJobContext } from '@longhaul/mcp-features';
import { simulatedLogging } from './simulated-logging.js';
import { simulatedResourceUpdates } from './simulated-resource-updates.js';

/** A context of a session with these subscriptions, and what it was told. */
function recording(subscriptions: readonly string[] = []): { readonly context: SessionJobContext; readonly told: unknown[] } {
  const told: unknown[] = [];
  const session = { id: 'mine', subscriptions: () => Promise.resolve(subscriptions) } as SessionJobContext['session'];
  return {
    told,
    context: { session, log: (level, data) => told.push([level, data]), resourceUpdated: (uri) => told.push(uri) },
  };
}

describe('simulated-logging', () => {
  it('logs one message of the session a time, in the course of time at every level', () => {
    const { context, told } = recording();
    const job = simulatedLogging(100);
    for (let run = 1; run <= 1_000; run += 1) {
      void job.run(context);
      expect(told).toHaveLength(run);
    }
    const expected = [
      ['debug', 'Debug-level message - SessionId mine'],
      ['info', 'Info-level message - SessionId mine'],
      ['notice', 'Notice-level message - SessionId mine'],
      ['warning', 'Warning-level message - SessionId mine'],
      ['error', 'Error-level message - SessionId mine'],
      ['critical', 'Critical-level message - SessionId mine'],
      ['alert', 'Alert level-message - SessionId mine'],
      ['emergency', 'Emergency-level message - SessionId mine'],
    ];
    const seen = [...new Set(told.map((message) => JSON.stringify(message)))];
    expect(seen.toSorted()).toEqual(expected.map((message) => JSON.stringify(message)).toSorted());
  });
});

describe('simulated-resource-updates', () => {
  it('tells of every subscribed resource', async () => {
    const { context, told } = recording(['demo://a', 'demo://b']);
    await simulatedResourceUpdates(100).run(context);
    expect(told).toEqual(['demo://a', 'demo://b']);
  });

  it('tells nothing when nothing is subscribed', async () => {
    const { context, told } = recording();
    await simulatedResourceUpdates(100).run(context);
    expect(told).toEqual([]);
  });
});

describe('the pace of both', () => {
  it.each([simulatedLogging, simulatedResourceUpdates])('is the one that was asked for', (job) => {
    expect(job(250).everyMs).toBe(250);
    expect(() => job(99)).toThrow('must be at least 100');
  });
});
