/** The reference server and ours, each with a client of its own. */
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Deployment } from '../../support/deployment.js';
import { FullClient } from './full-client.js';

const REFERENCE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

export interface Servers {
  readonly reference: FullClient;
  readonly ours: FullClient;
  close(): Promise<void>;
}

export async function startServers(): Promise<Servers> {
  const deployment = Deployment.create({ LONGHAUL_EXPOSE_ENV: '1' });
  const [gateway] = await Promise.all([deployment.gateway(), deployment.worker()]);
  const [reference, ours] = await Promise.all([
    FullClient.connect(new StdioClientTransport({ command: process.execPath, args: [REFERENCE], stderr: 'ignore' })),
    FullClient.connect(new StreamableHTTPClientTransport(new URL(gateway.url))),
  ]);
  // It asks for the roots a while after the client has connected, and says so.
  await reference.untilNotified('notifications/message');
  return {
    reference,
    ours,
    async close() {
      await Promise.all([reference.close(), ours.close()]);
      await deployment.close();
    },
  };
}
