import { openMemoryStore } from '@longhaul/store-sqlite';
import { describe, expect, it } from 'vitest';
import type { AuditLog } from '../ports/audit-log.js';
import { collected } from '../testing/collected.js';
import { auditRecords } from './audit-page.js';
import { AuditWriter } from './audit-writer.js';
import { verifyChain } from './verify-chain.js';

const entry = { who: 'ada', action: 'task.create', reason: '', outcome: 'done' } as const;

/** A log that can be away, lose answers, and lose its records. */
class FragileLog implements AuditLog {
  isAway = false;
  losesAnswers = false;
  commands = 0;
  #kept = openMemoryStore().audit;

  async append(...given: Parameters<AuditLog['append']>): ReturnType<AuditLog['append']> {
    this.commands += 1;
    if (this.isAway) throw new Error('away');
    const appended = await this.#kept.append(...given);
    if (!this.losesAnswers) return appended;
    this.losesAnswers = false;
    throw new Error('lost');
  }
  state(...given: Parameters<AuditLog['state']>): ReturnType<AuditLog['state']> {
    return this.#kept.state(...given);
  }
  after(...given: Parameters<AuditLog['after']>): ReturnType<AuditLog['after']> {
    return this.#kept.after(...given);
  }
  before(...given: Parameters<AuditLog['before']>): ReturnType<AuditLog['before']> {
    return this.#kept.before(...given);
  }
  lose(): void {
    this.#kept = openMemoryStore().audit;
  }
}

function writing() {
  const log = new FragileLog();
  const errors: unknown[] = [];
  const writer = new AuditWriter({ log, chain: 'callers-1', keep: 100_000, onError: (error) => errors.push(error) });
  const targets = async (): Promise<readonly string[]> =>
    (await collected(auditRecords(log, {}))).map(({ action, target }) => (action === 'audit.lost' ? action : target));
  return { log, errors, writer, targets };
}

describe('a writer of the audit log', () => {
  it('writes what comes together by one command, and nobody has to ask for it', async () => {
    const { log, writer, targets } = writing();
    for (const target of ['a', 'b', 'c']) writer.record({ ...entry, target });
    await expect.poll(() => targets()).toEqual(['a', 'b', 'c']);
    expect(log.commands).toBe(1);
  });

  it('writes once what was written, though the answer was lost', async () => {
    const { log, errors, writer, targets } = writing();
    log.losesAnswers = true;
    writer.record({ ...entry, target: 'a' });
    await writer.flush();
    expect(errors).toHaveLength(1);
    writer.record({ ...entry, target: 'b' });
    await writer.flush();
    await writer.flush();
    expect(await targets()).toEqual(['a', 'b']);
    expect(await verifyChain(log, 'callers-1', { keep: 100_000 })).toMatchObject({ faultCount: 0 });
  });

  it('waits for a store that is away, and says how much was lost', async () => {
    const { log, writer, targets } = writing();
    log.isAway = true;
    for (let at = 0; at < 10_005; at++) writer.record({ ...entry, target: String(at) });
    await writer.flush();
    log.isAway = false;
    await writer.flush();
    const found = await targets();
    expect(found).toHaveLength(10_001);
    expect(found.at(-1)).toBe('audit.lost');
    expect((await collected(auditRecords(log, {}))).at(-1)?.details).toEqual({ count: 5 });
  });

  it('goes on where the chain ends when the store has lost the last records', async () => {
    const { log, writer } = writing();
    writer.record({ ...entry, target: 'a' });
    await writer.flush();
    log.lose();
    writer.record({ ...entry, target: 'b' });
    await writer.flush();
    expect(await verifyChain(log, 'callers-1', { keep: 100_000 })).toMatchObject({ head: { number: 1 }, faultCount: 0 });
  });
});
