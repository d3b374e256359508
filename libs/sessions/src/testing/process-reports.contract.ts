import { randomUUID } from 'node:crypto';
import { opening } from '@longhaul/tasks/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ProcessReports, REPORT_LIMITS } from '../ports/process-reports.js';
import type { SessionContractStore } from './contract-store.js';

/** Declares the contract of reports of processes on every store. */
export function processReportsContract(store: SessionContractStore): void {
  describe(`reports of processes in ${store.name}`, () => {
    let reports: ProcessReports;
    beforeAll(
      opening(
        () => store.open(),
        (opened) => {
          reports = opened.store.processReports;
        },
      ),
    );

    it('are the last one of each process, until it has ended', async () => {
      const [one, other] = [randomUUID(), randomUUID()];
      await reports.put(one, '{"at":1}');
      await reports.put(one, '{"at":2}');
      await reports.put(other, '{"at":3}');
      expect(Object.fromEntries(await reports.all())).toMatchObject({ [one]: '{"at":2}', [other]: '{"at":3}' });
      await reports.remove(one);
      await reports.remove(one);
      expect([...(await reports.all()).keys()]).toEqual([other]);
    });

    it('are refused when they are too large', async () => {
      const { bytes, processIdBytes } = REPORT_LIMITS;
      await expect(reports.put('x'.repeat(processIdBytes + 1), '{}')).rejects.toMatchObject({ code: 'INVALID_KEY' });
      await expect(reports.put(randomUUID(), 'x'.repeat(2 * bytes))).rejects.toMatchObject({ code: 'NOT_SERIALIZABLE' });
    });
  });
}
