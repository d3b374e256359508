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

/** Servers as a deployment has them that works, but for one. */
export async function reportUsualServers({ processReports }: Pick<Store, 'processReports'>): Promise<void> {
  const hourAgo = Date.now() - 3_600_000;
  const search = { name: 'search', shown: 'https://search.example.com/mcp', transport: 'http', calls: 412, errors: 3, running: 2 } as const;
  const away = { name: 'tickets', lastError: 'connect ECONNREFUSED', lastErrorAt: hourAgo, calls: 57, errors: 9 };
  const servers = [
    server('connected', { since: hourAgo, calls: 183, errors: 0 }),
    server('connected', { ...search, since: hourAgo }),
    server('away', { ...away, since: Date.now() - 90_000 }),
  ];
  await processReports.put('one', JSON.stringify({ process: 'one', role: 'gateway', at: Date.now(), servers } satisfies ProcessReport));
}

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
