import { ANONYMOUS_OWNER, type PayloadCodec, type Place, PLAIN } from '@longhaul/tasks';
import type { ProcessReports } from '../ports/process-reports.js';

/** Passes the reports of processes through the codec: they may repeat what other servers have said. */
export function sealedReports(reports: ProcessReports, codec: PayloadCodec): ProcessReports {
  if (codec === PLAIN) return reports;
  return {
    async put(processId, report) {
      const seal = await codec.sealFor(ANONYMOUS_OWNER);
      await reports.put(processId, seal(report, placeOf(processId)));
    },
    remove: (processId) => reports.remove(processId),
    async all() {
      const opened = [...(await reports.all())].map(async ([id, text]) => [id, await codec.open(text, placeOf(id))] as const);
      return new Map(await Promise.all(opened));
    },
  };
}

function placeOf(processId: string): Place {
  return { kind: 'report', id: processId, field: 'report' };
}
