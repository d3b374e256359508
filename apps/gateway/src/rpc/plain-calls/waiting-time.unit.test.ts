import { expect, it } from 'vitest';
import { findClient, KNOWN_CLIENTS } from './known-clients.js';
import { waitMsOf } from './waiting-time.js';

const SETTINGS = { syncWaitMs: 45_000, longestWaitMs: 3_600_000, signOfLifeMs: 15_000 };

it.each<[string, boolean, number | undefined, number]>([
  ['nobody knows', false, undefined, 45_000],
  ['nobody knows', true, undefined, 45_000],
  ['nobody knows', true, 120_000, 120_000],
  ['Java SDK MCP Client', false, undefined, 15_000],
  ['Java SDK MCP Client', true, undefined, 15_000],
  ['Java SDK MCP Client', true, 5_000, 5_000],
  ['Java SDK MCP Client', true, 120_000, 15_000],
  ['Cline', false, undefined, 45_000],
  ['goose', true, undefined, 225_000],
  ['claude-code', false, undefined, 225_000],
  ['claude-code', true, undefined, 264_000],
  ['Visual Studio Code', true, undefined, 3_600_000],
  ['Visual Studio Code', true, 60_000, 60_000],
  ['mcp-inspector', true, undefined, 3_600_000],
  ['mcp-inspector', false, undefined, 45_000],
])('a call of %s, with a progress token: %s, whose tool says %j, waits %d ms', (name, asksForProgress, handOverAfterMs, waitMs) => {
  const client = findClient(KNOWN_CLIENTS, { name, version: '2.0' });
  expect(waitMsOf({ client, asksForProgress, handOverAfterMs }, SETTINGS)).toBe(waitMs);
});

it.each([
  ['no signs of life are sent', { signOfLifeMs: 0 }, 45_000],
  ['they are as far apart as the limit', { signOfLifeMs: 60_000 }, 45_000],
  ['no call may wait longer', { longestWaitMs: 10_000 }, 10_000],
  ['calls are handed over at once', { longestWaitMs: 0 }, 0],
])('a limit that progress extends is not extended when %s', (_when, changed, waitMs) => {
  const client = { name: 'app', limitMs: 60_000, progressExtends: true };
  expect(waitMsOf({ client, asksForProgress: true }, { ...SETTINGS, ...changed })).toBe(waitMs);
});
