/** Tests that a gateway and a worker meet the same process of a proxied server, and that another one takes its place when it is lost. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { alive } from '../../cli/support/launcher.js';
import { Clients, textOf } from '../../client/support/clients.js';
import { statefulProcess } from '../../servers/support/stateful-server.js';
import { Deployment, type Process } from '../../support/deployment.js';
import { waitUntil } from '../../support/wait-until.js';

const clients = new Clients();
let deployment: Deployment;
let gateway: Process;

beforeAll(async () => {
  // "add" is a task, and so made by a worker; what was told is asked by the gateway.
  const counter = statefulProcess({ tools: { add: { annotations: { idempotentHint: true } }, told: { task: 'forbidden' } } });
  deployment = Deployment.create({
    LONGHAUL_FEATURES: '@longhaul/proxy/feature',
    LONGHAUL_SERVERS: JSON.stringify({ mcpServers: { counter } }),
    LONGHAUL_DRAIN_MS: '1000',
  });
  gateway = await deployment.gateway();
});
afterAll(async () => {
  await clients.close();
  await deployment.close();
});

interface Told {
  readonly count: number;
  readonly pid: number;
  /** Whether the result says that earlier state is gone. */
  readonly isAfterLoss: boolean;
}

it('is met by the calls and the tasks of its session, whichever process holds it, until that dies', async () => {
  const [ada, bob] = [await clients.connect(gateway.url, { generation: '2025-11-25' }), await clients.connect(gateway.url)];
  const tell = async (client: typeof ada): Promise<Told> => {
    const { content } = await client.callTool('told', {});
    // A note comes before the result.
    const result = textOf({ content: content.slice(-1) }) as string;
    return { ...(JSON.parse(result) as Told), isAfterLoss: content.length > 1 };
  };
  const worker = await deployment.worker();

  // The worker needs the process first, and the gateway the one of the other client.
  expect(textOf(await ada.callTool('add', { by: 2 }))).toBe('2');
  expect(await tell(ada)).toMatchObject({ count: 2, isAfterLoss: false });
  expect(textOf(await ada.callTool('add', { by: 3 }))).toBe('5');
  expect(await tell(bob)).toMatchObject({ count: 0 });
  const { pid } = await tell(ada);

  await worker.kill();
  await waitUntil(() => alive([pid]).length === 0, { description: 'the process ends with its holder' });
  const after = async (): Promise<Told | undefined> => tell(ada).catch(() => undefined);
  expect(await waitUntil(after, { description: 'the gateway has noticed' })).toMatchObject({ count: 0, isAfterLoss: true });
  await deployment.worker();
  expect(textOf(await ada.callTool('add', { by: 7 }))).toBe('7');
  expect(await tell(ada)).toMatchObject({ count: 7, isAfterLoss: false });
});
