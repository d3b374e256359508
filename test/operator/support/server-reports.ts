/** Reports of processes of a deployment, as their proxies write them. */
import type { ProcessReport, ServerReport, ToolReport } from '@longhaul/proxy/operating';
import type { Store } from '@longhaul/sessions';

const tool = (name: string, calls: number, errors = 0): ToolReport => ({
  name,
  as: `files__${name}`,
  task: 'optional',
  calls,
  errors,
  running: 0,
  durations: [],
});

const server = (state: ServerReport['state'], more: Partial<ServerReport> = {}): ServerReport => ({
  name: 'files',
  transport: 'stdio',
  shown: 'node files.js',
  isKept: true,
  state,
  since: 1_000,
  restarts: 0,
  connections: state === 'connected' ? 1 : 0,
  calls: 3,
  errors: 1,
  running: 0,
  durations: [],
  tools: [tool('read', 2), tool('write', 1, 1)],
  toolsLeftOut: 0,
  ...more,
});

/** Two gateways: one is connected to the server `files`, and the other has lost it. */
export async function reportServers({ processReports }: Pick<Store, 'processReports'>): Promise<void> {
  const lost = { lastError: 'exited with 4\n<b>no disk</b>', lastErrorAt: 2_000, triedAgainAt: 3_000 };
  const reports: readonly ProcessReport[] = [
    {
      process: 'one',
      role: 'gateway',
      at: 1_000,
      servers: [server('connected', { about: { name: 'files', version: '1.2', protocolVersion: '2025-11-25' } })],
    },
    {
      process: 'two',
      role: 'gateway',
      at: 1_000,
      servers: [server('away', lost), server('idle', { name: 'a/b 🌙', isKept: false, tools: [], calls: 0, errors: 0 })],
    },
  ];
  for (const report of reports) await processReports.put(report.process, JSON.stringify(report));
}
