/**
 * Measures the cost of security: the CPU time of a task whose caller sends a signed token, whose payloads are encrypted at rest, and which
 * leaves an audit record. Each is measured alone and all together, compared with a task without them. The deployments run at the same time
 * and are measured in turn, so that a busy machine is as busy for each of them.
 */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { McpClient } from './clients/mcp-client.js';
import { type Deployment, processesOf, startDeployment, urlOf } from './deployment.js';
import { type Cpu, cpuSince, readCpu } from './measure/cpu.js';
import { load } from './measure/load.js';
import { readOptions } from './options.js';
import { costTable, machine } from './report.js';

const values = readOptions({ rounds: 12, tasks: 1_000 });
const ROUNDS = values.rounds;
const TASKS = values.tasks;
const AT_ONCE = 32;
const RESOURCE = 'https://mcp.example.com/mcp';
const KEY_ID = 'bench';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** A minimal authorization server for a gateway, and one of its tokens. */
async function startIssuer() {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const keys = [{ ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'ES256', use: 'sig' }];
  const server = createServer((_request, response) => response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const token = await new SignJWT({ client_id: 'longhaul-bench' })
    .setProtectedHeader({ alg: 'ES256', kid: KEY_ID, typ: 'at+jwt' })
    .setIssuer(issuer)
    .setSubject('bench')
    .setAudience(RESOURCE)
    .setIssuedAt()
    .setExpirationTime('2h')
    .sign(privateKey);
  const settings = { LONGHAUL_ISSUERS: JSON.stringify([{ issuer, jwksUri: `${issuer}/keys` }]), LONGHAUL_PUBLIC_URL: RESOURCE };
  return { settings, token, close: () => server.close() };
}

/** A deployment, a client of it, and the cost of its tasks. */
interface Measured {
  readonly name: string;
  readonly deployment: Deployment;
  readonly client: McpClient;
  readonly costs: Cpu[];
}

/** CPU time of a task, process by process. */
async function costOf({ deployment, client }: Measured): Promise<Cpu> {
  const processes = processesOf(deployment);
  const before = await readCpu(processes);
  const { count } = await load({ count: TASKS, concurrency: AT_ONCE }, async () => {
    await client.resultOf(await client.createTask('noop'));
  });
  return cpuSince(before, processes, count);
}

const issuer = await startIssuer();
const known = issuer.settings;
const encrypted = { LONGHAUL_KEYS: `bench=text:${randomBytes(32).toString('hex')}` };
const audited = { LONGHAUL_AUDIT: 'all' };
const kinds: readonly (readonly [name: string, settings: Readonly<Record<string, string>>])[] = [
  ['neither', {}],
  ['signed tokens', known],
  ['encryption', encrypted],
  ['signed tokens and encryption', { ...known, ...encrypted }],
  ['these, and an audit of all calls', { ...known, ...encrypted, ...audited }],
];
const all: Measured[] = [];
try {
  for (const [name, settings] of kinds) {
    const deployment = await startDeployment({ workers: 1, gateways: 1 }, undefined, settings);
    const token = 'LONGHAUL_ISSUERS' in settings ? issuer.token : undefined;
    const client = await McpClient.connect(urlOf(deployment.gateways[0]), AT_ONCE, {}, token);
    all.push({ name, deployment, client, costs: [] });
  }
  for (let round = 0; round <= ROUNDS; round++)
    for (const measured of all) {
      const cost = await costOf(measured);
      // The first round warms up.
      if (round > 0) measured.costs.push(cost);
    }
} finally {
  for (const { client, deployment } of all) {
    client.close();
    await deployment.stop();
  }
  issuer.close();
}
say(`${machine()}; ${ROUNDS} rounds of ${TASKS.toLocaleString('en')} tasks each, ${AT_ONCE} at once\n`);
say(costTable(all));
