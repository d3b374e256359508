/** Tests several gateways, as processes: each request goes to another one, and one is killed during a call. */
import type { InputHandlers } from '@longhaul/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Deployment, type Process } from '../support/deployment.js';
import { startRoundRobin } from '../support/round-robin.js';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { Clients, GENERATIONS, textOf } from './support/clients.js';

const clients = new Clients();
let deployment: Deployment;
let gateway: Process;
let other: Process;
let proxy: TcpProxy;

beforeAll(async () => {
  deployment = Deployment.create({ LONGHAUL_RESEARCH_STAGE_MS: '250' });
  [gateway, other] = await Promise.all([deployment.gateway(), deployment.gateway(), deployment.worker()]);
});
beforeEach(async () => {
  proxy = await openTcpProxy(gateway.url);
});
afterEach(async () => {
  await clients.close();
  await proxy.close();
});
afterAll(() => deployment.close());

/** Kills the gateway; a moment later there is another one at the same address. */
async function replaceGateway(): Promise<void> {
  await gateway.kill();
  gateway = await deployment.gateway();
  proxy.redirect(gateway.url);
}

describe.each(GENERATIONS)('in generation %s', (generation) => {
  const interpretation: InputHandlers = { elicitation: () => ({ action: 'accept', content: { interpretation: 'historical' } }) };

  it('a task is followed at the next gateway', async () => {
    const client = await clients.connect(proxy.url, { generation });
    let replaced: Promise<void> | undefined;
    const onStatus = (): void => {
      replaced ??= replaceGateway();
    };
    const result = await client.callTool('simulate-research-query', { topic: 'tides' }, { onStatus });
    await replaced;
    expect(textOf(result)).toContain('# Research Report: tides');
  });

  it('its question is answered at the next gateway, and is asked once', async () => {
    const client = await clients.connect(proxy.url, { generation, capabilities: { elicitation: { form: {} } } });
    let asked = 0;
    const onInput: InputHandlers = {
      async elicitation(...args) {
        asked += 1;
        await replaceGateway();
        return interpretation.elicitation!(...args);
      },
    };
    const result = await client.callTool('simulate-research-query', { topic: 'tides', ambiguous: true }, { onInput });
    expect(textOf(result)).toContain('# Research Report: tides (historical)');
    expect(asked).toBe(1);
  });

  it('each request may go to another gateway', async () => {
    const proxy = await startRoundRobin([gateway.url, other.url]);
    const client = await clients.connect(proxy.url, { generation, onInput: interpretation });
    const calls = [1, 2, 3].map(() => client.callTool('simulate-research-query', { topic: 'tides', ambiguous: true }));
    for (const result of await Promise.all(calls)) expect(textOf(result)).toContain('# Research Report: tides (historical)');
    expect([...proxy.given.values()].every((given) => given > 3)).toBe(true);
    await client.close();
    await proxy.close();
  });
});
