/**
 * Tests that clients that nobody can run here get the result of a slow tool, by their manners. All times are divided by `PACE`, those of the
 * clients and those of the gateways; `npm run clients -- played` does the same in the true time.
 */
import { fileURLToPath } from 'node:url';
import { KNOWN_CLIENTS } from '@longhaul/gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENTRY, Workplace } from '../../cli/support/launcher.js';
import { Deployment, type Process } from '../../support/deployment.js';
import { INHERITED_ENV } from '../../support/inherited-env.js';
import { startRoundRobin } from '../../support/round-robin.js';
import { type Control, startControl } from '../suite/control.js';
import { openHttp } from './http-wire.js';
import type { Manner } from './manner.js';
import { MANNERS } from './manners.js';
import { play } from './play.js';
import { openStdio } from './stdio-wire.js';

const PACE = 20;
const WORK_MS = 100_000 / PACE;
const SYNC_WAIT_MS = 45_000 / PACE;
const LONGEST_WAIT_MS = 3_600_000 / PACE;
/** The least. */
const SIGN_OF_LIFE_MS = 1_000;

const overHttp = MANNERS.filter(({ transports }) => transports.includes('http'));
/** One for all of them: over stdio each needs processes of its own. */
const overStdio = MANNERS.filter(({ title }) => title === 'Zed');
const tokenOf = (manner: Manner): string => `token-of-client-${MANNERS.indexOf(manner)}`;

let control: Control;
const settings = (): Record<string, string> => ({
  LONGHAUL_FEATURES: fileURLToPath(new URL('../features.ts', import.meta.url)),
  CLIENTS_SUITE_URL: control.url,
  LONGHAUL_SYNC_WAIT_MS: String(SYNC_WAIT_MS),
  LONGHAUL_LONGEST_WAIT_MS: String(LONGEST_WAIT_MS),
  LONGHAUL_SIGN_OF_LIFE_MS: String(SIGN_OF_LIFE_MS),
  LONGHAUL_KNOWN_CLIENTS: JSON.stringify(KNOWN_CLIENTS.map(paced)),
  // What a client means that gives up is judged by limits that clients commonly have, which have no place here.
  LONGHAUL_ON_ABANDONED: 'continue',
});

/** What the gateways know of a client, at the pace of these tests. */
function paced({ limitMs, longestMs, ...known }: (typeof KNOWN_CLIENTS)[number]) {
  const at = (ms: number): number => Math.ceil(ms / PACE);
  return {
    ...known,
    ...(limitMs !== undefined && { limitMs: limitMs === null ? null : at(limitMs) }),
    ...(longestMs !== undefined && { longestMs: at(longestMs) }),
  };
}

beforeAll(async () => {
  control = await startControl();
});
afterAll(() => control.close());

/** Plays the client, and expects the result of work that has begun once. @returns what it said */
async function playOnce(manner: Manner, tool: string, openWire: Parameters<typeof play>[1]) {
  const who = `${manner.title} ${tool}`;
  const outcome = await play(manner, openWire, PACE, { tool, args: { who, ms: WORK_MS } }, { city: 'Oslo' });

  expect(outcome.text).toBe(tool === 'suite-long' ? `Done for ${who}.` : `Done for ${who} in Oslo.`);
  expect(control.begun.get(who)).toBe(1);
  return outcome;
}

describe('over HTTP', () => {
  let deployment: Deployment;
  let gateways: Process[];

  beforeAll(async () => {
    const LONGHAUL_TOKENS = MANNERS.map((manner, index) => `client-${index}:${tokenOf(manner)}`).join(',');
    deployment = Deployment.create({ ...settings(), LONGHAUL_TOKENS });
    [, ...gateways] = await Promise.all([deployment.worker(), deployment.gateway(), deployment.gateway()]);
  });
  afterAll(() => deployment.close());

  async function playOverHttp(manner: Manner, tool: string) {
    const targets = gateways.map(({ url }) => url);
    const proxy = await startRoundRobin(targets, { authorization: `Bearer ${tokenOf(manner)}` });
    const outcome = await playOnce(manner, tool, (onMessage) => openHttp(proxy.url, manner, onMessage));
    await proxy.close();
    return outcome;
  }

  it.concurrent.each(overHttp)('$title gets the result of a slow tool', async (manner) => {
    await playOverHttp(manner, 'suite-long');
  });

  it.concurrent.each(overHttp)('$title gets the result of a slow tool that asks something', async (manner) => {
    const { asked } = await playOverHttp(manner, 'suite-long-ask');

    const showsForms = 'elicitation' in manner.capabilities;
    const showsPages = 'extensions' in manner.capabilities;
    expect(asked.length > 0).toBe(showsForms || showsPages);
  });
});

describe('over stdio', () => {
  it.each(overStdio)('$title gets the result of a slow tool', async (manner) => {
    const place = new Workplace();
    const env = { ...INHERITED_ENV, HOME: place.folder, LONGHAUL_DATA_DIR: `${place.folder}/.longhaul`, ...settings() };
    await playOnce(manner, 'suite-long', (onMessage) => openStdio({ command: process.execPath, args: [ENTRY, 'stdio'], env }, onMessage));
    await place.close();
  });
});
