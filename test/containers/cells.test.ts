/** Tests the compose file of two cells. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { freePort } from '@longhaul/bench/free-port';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { DockerComposeEnvironment, getContainerRuntimeClient, type StartedDockerComposeEnvironment, Wait } from 'testcontainers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.js';
import { createTask, textOf, whenServed } from './support/client.js';
import { imageTag, repository, runId, secret } from './support/run.js';

const USERS = Array.from({ length: 10 }, (_, index) => `user${index}`);
const tokenOf = (user: string): string => `token-of-${user}-0001`;
const projectName = `testcontainers-${runId()}-cells`;

let project: StartedDockerComposeEnvironment | undefined;
let endpoint: string;

beforeAll(async () => {
  const port = await freePort();
  endpoint = `http://127.0.0.1:${port}/mcp`;
  project = await new DockerComposeEnvironment(`${repository}/deploy/cells`, 'docker-compose.yml')
    .withProjectName(projectName)
    .withEnvironment({
      LONGHAUL_SECRET: secret,
      LONGHAUL_TOKENS: USERS.map((user) => `${user}:${tokenOf(user)}`).join(','),
      LONGHAUL_ALLOWED_HOSTS: 'acme.localhost',
      LONGHAUL_PORT: String(port),
      LONGHAUL_TAG: imageTag,
      LONGHAUL_RESEARCH_STAGE_MS: '300',
    })
    .withWaitStrategy('nginx-1', Wait.forHealthCheck())
    .up();
});
afterAll(() => project?.down({ removeVolumes: true, timeout: 5_000 }));

async function connect(user: string): Promise<Client> {
  const headers = { authorization: `Bearer ${tokenOf(user)}` };
  const client = new Client({ name: 'container-test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint), { requestInit: { headers } }));
  return client;
}

/** The answer to a client that has connected under a host name, which `fetch` cannot set. */
async function answerUnder(host: string, user: string): Promise<string> {
  const headers = {
    host,
    authorization: `Bearer ${tokenOf(user)}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const clientInfo = { name: 'container-test', version: '1' };
  const params = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {}, clientInfo };
  const sent = request(endpoint, { method: 'POST', headers });
  sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return text(answer);
}

const cellOf = (client: Client): string => client.getServerVersion()?.name ?? '';

/** A user of each cell. */
async function userOfEach(): Promise<Record<string, string>> {
  const users: Record<string, string> = {};
  for (const user of USERS) {
    const client = await connect(user);
    users[cellOf(client)] ??= user;
    await client.close();
  }
  return users;
}

describe('docker compose -f deploy/cells/docker-compose.yml up', () => {
  it('sends each user to one cell, whose worker runs its tasks, and users to both', async () => {
    const users = await userOfEach();
    expect(Object.keys(users).toSorted()).toEqual(['cell-a', 'cell-b']);
    for (const [cell, user] of Object.entries(users)) {
      const client = await connect(user);
      const taskId = await createTask(client, 'simulate-research-query', { topic: user });
      await client.close();
      const again = await connect(user);
      expect(cellOf(again)).toBe(cell);
      const result = await again.experimental.tasks.getTaskResult(taskId, CallToolResultSchema, { timeout: 20_000 });
      expect(textOf(result)).toContain(user);
      const { tasks } = await again.experimental.tasks.listTasks();
      expect(tasks.map((task) => task.taskId)).toEqual([taskId]);
      await again.close();
    }
  });

  it('sends those who connect under the name of a tenant to the cell of that tenant', async () => {
    for (const user of USERS) expect(await answerUnder('acme.localhost', user)).toContain('"name":"cell-b"');
  });

  it('serves the users of one cell while the other one is away, whose users are asked to try again', async () => {
    const users = await userOfEach();
    const { container } = await getContainerRuntimeClient();
    const all = (await container.list()).filter(({ Labels }) => Labels['com.docker.compose.project'] === projectName);
    const redis = all.find(({ Labels }) => Labels['com.docker.compose.service'] === 'redis-b');
    const gateway = all.find(({ Labels }) => Labels['com.docker.compose.service'] === 'gateway-b');
    const away = [redis, gateway].map(({ Id } = { Id: '' } as never) => container.getById(Id));
    const [here, there] = [await connect(users['cell-a'] ?? ''), await connect(users['cell-b'] ?? '')];
    for (const one of away) await one.stop();
    expect((await here.listTools()).tools.length).toBeGreaterThan(0);
    await expect(there.listTools()).rejects.toThrow('Try again');
    for (const one of away) await one.start();
    await waitUntil(async () => (await whenServed(() => there.listTools())).tools.length > 0, { description: 'the cell serves again' });
    await Promise.all([here.close(), there.close()]);
  });
});
