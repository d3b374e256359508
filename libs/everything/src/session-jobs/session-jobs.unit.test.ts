import { describe, expect, it } from 'vitest';
import type { SessionJobContext } from '@longhaul/mcp-features';
import { simulatedLogging } from './simulated-logging.js';
import { simulatedResourceUpdates } from './simulated-resource-updates.js';

/** A context of a session with these subscriptions, and what it received. */
function recording(subscriptions: readonly string[] = []): { readonly context: SessionJobContext; readonly received: unknown[] } {
  const received: unknown[] = [];
  const session = { id: 'mine', subscriptions: () => Promise.resolve(subscriptions) } as SessionJobContext['session'];
  return {
    received,
    context: { session, log: (level, data) => received.push([level, data]), resourceUpdated: (uri) => received.push(uri) },
  };
}

describe('simulated-logging', () => {
  it('logs one message of the session a time, in the course of time at every level', () => {
    const { context, received } = recording();
    const job = simulatedLogging(100);
    for (let run = 1; run <= 1_000; run += 1) {
      void job.run(context);
      expect(received).toHaveLength(run);
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
    const seen = [...new Set(received.map((message) => JSON.stringify(message)))];
    expect(seen.toSorted()).toEqual(expected.map((message) => JSON.stringify(message)).toSorted());
  });
});

describe('simulated-resource-updates', () => {
  it('notifies of every subscribed resource', async () => {
    const { context, received } = recording(['demo://a', 'demo://b']);
    await simulatedResourceUpdates(100).run(context);
    expect(received).toEqual(['demo://a', 'demo://b']);
  });

  it('sends nothing when nothing is subscribed', async () => {
    const { context, received } = recording();
    await simulatedResourceUpdates(100).run(context);
    expect(received).toEqual([]);
  });
});

describe('the pace of both', () => {
  it.each([simulatedLogging, simulatedResourceUpdates])('is the one that was asked for', (job) => {
    expect(job(250).everyMs).toBe(250);
    expect(() => job(99)).toThrow('must be a number of milliseconds from 100');
  });
});
