/**
 * Tests that clients of the SDKs, with their defaults, get the result of a tool of five minutes that asks something in the middle, while
 * gateways and workers are killed. All times are divided by `PACE`. The client gives up when the SDK does; what is to be done then, the
 * model that uses it reads in what it was told.
 */
import { fileURLToPath } from 'node:url';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENTRY, Workplace } from '../../cli/support/launcher.js';
import { converse, type ModelsClient } from '../../clients/manners/model.js';
import { type Control, startControl } from '../../clients/suite/control.js';
import { Deployment, type Process } from '../../support/deployment.js';
import { INHERITED_ENV } from '../../support/inherited-env.js';
import { type RoundRobin, startRoundRobin } from '../../support/round-robin.js';

const PACE = 30;
const MINUTE = 60_000 / PACE;
const WORK_MS = 5 * MINUTE;
const PAUSE_MS = 5_000 / PACE;

/** That of the SDKs. */
const LIMIT = { timeout: MINUTE };

type Version = '2025-06-18' | '2025-11-25' | '2026-07-28';
type Stdio = ConstructorParameters<typeof StdioClientTransport>[0];

interface Connected extends Omit<ModelsClient, 'answers'> {
  readonly asked: readonly string[];
  close(): Promise<void>;
}

const VERSIONS: readonly Version[] = ['2025-06-18', '2025-11-25', '2026-07-28'];
const CASES = VERSIONS.flatMap((version) => [
  { version, canBeAsked: true },
  { version, canBeAsked: false },
]);
const whoOf = (version: Version, canBeAsked: boolean, transport: string): string =>
  `${version} ${transport} ${canBeAsked ? 'asked' : 'not asked'}`;

let control: Control;
const settings = (): Record<string, string> => ({
  LONGHAUL_FEATURES: fileURLToPath(new URL('../../clients/features.ts', import.meta.url)),
  CLIENTS_SUITE_URL: control.url,
  LONGHAUL_SYNC_WAIT_MS: String(45_000 / PACE),
  LONGHAUL_SIGN_OF_LIFE_MS: '1000',
  // What a client means that gives up is judged by limits that clients commonly have, which have no place here.
  LONGHAUL_ON_ABANDONED: 'continue',
});

beforeAll(async () => {
  control = await startControl();
});
afterAll(() => control.close());

/** Calls the tool, has what serves it killed when its work has begun, and waits for the result. */
async function getResult(client: Connected, who: string, kill: () => Promise<void>): Promise<string> {
  const conversation = converse({ ...client, answers: ANSWER.content }, { tool: 'suite-long-ask', args: { who, ms: WORK_MS } }, PAUSE_MS);
  await Promise.race([control.untilBegun(who).then(kill), conversation]);
  const { text } = await conversation;
  await client.close();
  return text;
}

describe('over HTTP', () => {
  let deployment: Deployment;
  let gateways: Process[];
  let worker: Process;
  const proxies: RoundRobin[] = [];
  const tokenOf = (index: number): string => `token-of-client-${index}`;

  beforeAll(async () => {
    deployment = Deployment.create({
      ...settings(),
      LONGHAUL_TOKENS: CASES.map((_, index) => `client-${index}:${tokenOf(index)}`).join(','),
    });
    [worker, ...gateways] = await Promise.all([deployment.worker(), deployment.gateway(), deployment.gateway()]);
  });
  afterAll(async () => {
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await deployment.close();
  });

  /** Once for all clients: the first gateway and the worker. */
  const killed = Promise.withResolvers<void>();
  const waiting = new Set(CASES.map(({ version, canBeAsked }) => whoOf(version, canBeAsked, 'http')));
  async function killTogether(who: string): Promise<void> {
    waiting.delete(who);
    if (waiting.size > 0) return killed.promise;
    const next = await deployment.gateway();
    for (const proxy of proxies) proxy.targets = [next.url, ...proxy.targets.slice(1)];
    await Promise.all([gateways[0]?.kill(), worker.kill()]);
    await deployment.worker();
    killed.resolve();
  }

  it.concurrent.each(CASES)('a client of $version that can be asked ($canBeAsked) gets the result', async ({ version, canBeAsked }) => {
    const index = CASES.findIndex((one) => one.version === version && one.canBeAsked === canBeAsked);
    const proxy = await startRoundRobin(
      gateways.map(({ url }) => url),
      { authorization: `Bearer ${tokenOf(index)}` },
    );
    proxies.push(proxy);
    const who = whoOf(version, canBeAsked, 'http');
    const client = await connect(version, canBeAsked, new URL(proxy.url));

    expect(await getResult(client, who, () => killTogether(who))).toBe(`Done for ${who} in Oslo.`);
    expect(control.begun.get(who)).toBe(1);
    expect(client.asked.filter((message) => message === 'Which city?').length > 0).toBe(canBeAsked);
  });
});

describe('over stdio', () => {
  // The two older ones are one to the bridge.
  it.concurrent.each(VERSIONS.slice(1))('a client of %s gets the result', async (version) => {
    const place = new Workplace();
    const who = whoOf(version, false, 'stdio');
    const env = { ...INHERITED_ENV, HOME: place.folder, LONGHAUL_DATA_DIR: `${place.folder}/.longhaul`, ...settings() };
    const client = await connect(version, false, { command: process.execPath, args: [ENTRY, 'stdio'], env });

    const text = await getResult(client, who, async () => {
      const launcher = { pid: client.pid ?? -1 };
      for (const app of ['gateway', 'worker'] as const) process.kill(place.appOf(launcher, app), 'SIGKILL');
    });

    expect(text).toBe(`Done for ${who} in Oslo.`);
    expect(control.begun.get(who)).toBe(1);
    await place.close();
  });
});

/** A client of the SDK that speaks the version. Only that of 2026-07-28 is of the second generation. */
async function connect(version: Version, canBeAsked: boolean, to: URL | Stdio): Promise<Connected & { readonly pid: number | null }> {
  return version === '2026-07-28' ? connectModern(canBeAsked, to) : connectOlder(version, canBeAsked, to);
}

const INFO = { name: 'somebody', version: '1' };
const capabilitiesOf = (canBeAsked: boolean) => (canBeAsked ? { elicitation: { form: {} } } : {});
const ANSWER = { action: 'accept', content: { city: 'Oslo' } } as const;

async function connectOlder(version: string, canBeAsked: boolean, to: URL | Stdio): Promise<Connected & { readonly pid: number | null }> {
  const asked: string[] = [];
  const client = new Client(INFO, { capabilities: capabilitiesOf(canBeAsked) });
  if (canBeAsked)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return ANSWER;
    });
  const transport = to instanceof URL ? new StreamableHTTPClientTransport(to) : new StdioClientTransport(to);
  await client.connect(offering(transport, version));
  const { tools } = await client.listTools();
  return {
    asked,
    pid: transport instanceof StdioClientTransport ? transport.pid : null,
    shown: tools.map(({ name }) => name),
    call: async (name, args) => textOf(await client.callTool({ name, arguments: args }, undefined, LIMIT)),
    close: () => client.close(),
  };
}

async function connectModern(canBeAsked: boolean, to: URL | Stdio): Promise<Connected & { readonly pid: number | null }> {
  const asked: string[] = [];
  const client = new ModernClient(INFO, {
    capabilities: capabilitiesOf(canBeAsked),
    versionNegotiation: { mode: { pin: '2026-07-28' } },
  });
  if (canBeAsked)
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return ANSWER;
    });
  const transport = to instanceof URL ? new ModernHttp(to) : new ModernStdio(to);
  await client.connect(transport);
  const { tools } = await client.listTools();
  return {
    asked,
    pid: transport instanceof ModernStdio ? transport.pid : null,
    shown: tools.map(({ name }) => name),
    call: async (name, args) => textOf(await client.callTool({ name, arguments: args }, LIMIT)),
    close: () => client.close(),
  };
}

/** The SDK always offers its newest version. */
function offering(transport: Transport, protocolVersion: string): Transport {
  const send = transport.send.bind(transport);
  transport.send = (message, options) =>
    send(
      'method' in message && message.method === 'initialize' ? { ...message, params: { ...message.params, protocolVersion } } : message,
      options,
    );
  return transport;
}

function textOf(result: unknown): string {
  const { content } = result as { readonly content: readonly { readonly text?: string }[] };
  return content.map(({ text = '' }) => text).join('\n');
}
