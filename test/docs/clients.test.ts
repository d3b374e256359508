/**
 * Checks docs/clients.md, docs/client-limits.md and docs/internals/clients.md: each tolerance names its clients (clients of one kind with the version), a reason, and an existing test. The
 * tables of the suite are up to date.
 */
import { KNOWN_CLIENTS } from '@longhaul/gateway/testing';
import { describe, expect, it } from 'vitest';
import { MANNERS } from '../clients/manners/manners.js';
import { CLIENTS } from '../clients/suite/catalogue.js';
import { SCENARIOS } from '../clients/suite/scenarios.js';
import { rowHead, scenarioTable } from '../clients/suite/table.js';
import { section, tableRows, textOf } from './documents.js';
import { missingTest } from './named-tests.js';

const tolerances = tableRows(section('docs/internals/clients.md', 'Tolerances'));
const rows = tableRows(section('docs/internals/clients.md', 'Stock clients'));
const clients = rows.slice(Object.keys(SCENARIOS).length);

describe('the list of tolerances', () => {
  it.each(tolerances)('names client, version, reason and test: %s', (tolerance, protocolVersion, client, reason, test) => {
    expect(tolerance).not.toBe('');
    expect(protocolVersion).toMatch(/^(2025-11-25|2026-07-28|both)$/);
    expect(client).toMatch(/^any$|\d+\.\d+/);
    expect(reason).not.toBe('');
    expect(missingTest(test ?? '')).toBeUndefined();
  });
});

it('the table of known clients has what the gateway knows', () => {
  const [text = ''] = section('docs/client-limits.md', 'The answer comes in time').split('<!-- /known-clients -->');
  const seconds = (ms: number | null = null): string => (ms === null ? 'none' : `${ms / 1_000} s`);
  const known = KNOWN_CLIENTS.map(({ name, from, limitMs, progressExtends = false, longestMs, source }) => [
    `${name}${from === undefined ? '' : ` from version ${from}`}`,
    seconds(limitMs),
    !progressExtends ? 'no' : longestMs === undefined ? 'yes' : `up to ${seconds(longestMs)}`,
    source,
  ]);
  expect(tableRows(text)).toEqual(known);
});

describe('the table that the page begins with', () => {
  const first = tableRows(textOf('docs/clients.md').split('<!-- /your-client -->')[0] ?? '');
  const played = MANNERS.filter(({ runsHere }) => runsHere !== true);
  const clientsOfSuite = [...played, ...CLIENTS].map(({ title }) => title.replaceAll('`', ''));

  it('has each client of the suite, and no other', () => {
    const listed = first.map(([client = '']) => client.replace(/ \((http|stdio)[^)]*\)$/, ''));
    expect([...new Set(listed)]).toEqual(clientsOfSuite);
  });

  it.each(first)('comes from a run in which all got their results: %s', (_client, long, question) => {
    expect([long, question]).not.toContain('–');
  });
});

describe('the tables of stock clients', () => {
  it('have each scenario of the suite', () => {
    expect(rows.slice(0, Object.keys(SCENARIOS).length)).toEqual(tableRows(scenarioTable().join('\n')));
  });

  it('have just the clients of the suite, in the versions that are pinned, with what they speak', () => {
    const listed = CLIENTS.map((client) => rowHead(client).map((cell) => cell.replaceAll('`', '')));
    expect(clients.map((row) => row.slice(0, 4))).toEqual(listed);
  });

  it.each(clients)('come from a run in which all passed: %s', (...row) => {
    expect(row[4]).toMatch(/^(\d+) of \1$/);
  });
});
