/** The reference server and ours, as processes. */
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Deployment } from '../../support/deployment.js';
import type { Pair } from './asked-client.js';
import { FullClient } from './full-client.js';

const REFERENCE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

export interface Servers {
  /** Connects to ours, and to a new process of the reference server. The caller closes both clients. */
  connect(): Promise<Pair<FullClient>>;
  close(): Promise<void>;
}

export async function startServers(): Promise<Servers> {
  const deployment = Deployment.create({ LONGHAUL_EXPOSE_ENV: '1' });
  const [gateway] = await Promise.all([deployment.gateway(), deployment.worker()]);
  return {
    async connect() {
      const [reference, ours] = await Promise.all([
        FullClient.connect(new StdioClientTransport({ command: process.execPath, args: [REFERENCE], stderr: 'ignore' })),
        FullClient.connect(new StreamableHTTPClientTransport(new URL(gateway.url))),
      ]);
      // It asks for the roots a while after the client has connected, and says so.
      await reference.untilNotified('notifications/message');
      return { reference, ours };
    },
    close: () => deployment.close(),
  };
}
