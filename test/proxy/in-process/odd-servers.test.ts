/** Tests what clients see of servers behind a proxy that are odd in ways in which servers of other people are. */
import { afterEach, describe, expect, it } from 'vitest';
import { alive } from '../../cli/support/launcher.js';
import { Clients, textOf } from '../../client/support/clients.js';
import { oddServer } from '../../servers/support/odd-server.js';
import { waitUntil } from '../../support/wait-until.js';
import { Proxies } from '../support/proxies.js';

const clients = new Clients();
const proxies = new Proxies();
afterEach(async () => {
  await clients.close();
  await proxies.close();
});

describe('a server behind a proxy', () => {
  it.each(['forbidden', 'optional'])('that ends when it is idle is there again for the next call (task: %s)', async (task) => {
    const idle = oddServer(
      {
        answers: `if (method !== 'tools/call') return;
          setTimeout(() => process.exit(0), 20);
          return { content: [{ type: 'text', text: String(process.pid) }] };`,
      },
      { tools: { work: { task } } },
    );
    const { url } = await proxies.serve({ idle });
    const client = await clients.connect(url, { generation: '2025-11-25' });
    const pids: number[] = [];
    for (let calls = 1; calls <= 3; calls += 1) {
      pids.push(Number(textOf(await client.callTool('idle__work', {}))));
      await waitUntil(() => alive(pids).length === 0, { description: 'it has ended' });
    }
    expect(new Set(pids).size).toBe(3);
  });
});
