/** Tests the metrics of a deployment for Prometheus, and that the dashboard and the alert rules use only these. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '@longhaul/bench/free-port';
import { COUNTERS, GAUGES, HISTOGRAMS, prometheusName } from '@longhaul/runtime/telemetry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { oddServer } from '../../servers/support/odd-server.js';
import { Deployment, type Process } from '../../support/deployment.js';
import { waitUntil } from '../../support/wait-until.js';
import { INITIALIZE, modern, older } from '../../support/wire-client.js';
import { openUpstream, type Upstream } from './upstream.js';

const FEATURES = fileURLToPath(new URL('./features.ts', import.meta.url));
const textOf = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
}
interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly record?: string; readonly expr: string }[] }[];
}

let deployment: Deployment;
let gateway: Process;
let upstream: Upstream;
let ports: { readonly gateway: number; readonly worker: number };

beforeAll(async () => {
  upstream = await openUpstream();
  ports = { gateway: await freePort(), worker: await freePort() };
  const answers = `if (method === 'tools/list') return { tools: [tool('work'), tool('fail')] };
    if (method === 'tools/call' && params.name === 'fail') return { isError: true, content: [] };`;
  const mcpServers = { away: { command: 'no-such-program' }, proxied: oddServer({ answers }) };
  deployment = Deployment.create({ LONGHAUL_FEATURES: FEATURES, LONGHAUL_SERVERS: JSON.stringify({ mcpServers }) });
  gateway = await deployment.gateway({ LONGHAUL_METRICS_PORT: String(ports.gateway) });
  await deployment.worker({ LONGHAUL_METRICS_PORT: String(ports.worker) });
});
afterAll(async () => {
  await deployment.close();
  await upstream.close();
});

async function scrape(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(response.headers.get('content-type')).toContain('text/plain');
  return response.text();
}

/** The value of the one series that has these labels. */
function valueOf(text: string, name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
  const line = text
    .split('\n')
    .find(
      (each) => new RegExp(`^${name}[{ ]`).test(each) && Object.entries(labels).every(([key, value]) => each.includes(`${key}="${value}"`)),
    );
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

/** A value, and the series that has it. */
type Counted = readonly [value: number | undefined, name: string, labels: Readonly<Record<string, string>>];

/** The series with the values that they have now. */
async function counted(port: number, series: readonly Counted[]): Promise<readonly Counted[]> {
  const text = await scrape(port);
  return series.map(([, name, labels]) => [valueOf(text, name, labels), name, labels]);
}

const typesOf = (text: string): ReadonlyMap<string, string> =>
  new Map(Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name = '', type = '']) => [name, type]));

describe('the metrics of a deployment', () => {
  it('count what clients ask and what becomes of tasks, by tool and outcome and by nothing that grows', async () => {
    const call = { name: 'slow', arguments: { url: upstream.url } };
    const { result } = await modern(gateway.url, 'tools/call', call);
    const { taskId } = result as { taskId: string };
    await modern(gateway.url, 'tools/call', { name: 'no-such-tool', arguments: {} });
    const session = (await older(gateway.url, 'initialize', INITIALIZE)).session ?? '';
    await older(gateway.url, 'tools/call', { name: 'failing', arguments: {} }, session);
    await fetch(gateway.url, { method: 'DELETE', headers: { 'mcp-session-id': session } });
    await fetch(gateway.url, { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } });
    const operations = 'mcp_server_operation_duration_seconds_count';
    const atGateway: readonly Counted[] = [
      [1, operations, { mcp_method_name: 'tools/call', gen_ai_tool_name: 'slow' }],
      [1, operations, { mcp_method_name: 'tools/call', error_type: '-32602' }],
      [1, operations, { gen_ai_tool_name: 'failing', error_type: 'tool_error' }],
      [1, 'mcp_server_session_duration_seconds_count', {}],
      [1, 'longhaul_tasks_created_total', { gen_ai_tool_name: 'slow' }],
      [1, 'longhaul_requests_refused_total', { http_response_status_code: '415' }],
      [0, 'longhaul_queue_depth', {}],
      [0, 'longhaul_queue_paused', {}],
    ];
    const atWorker: readonly Counted[] = [
      [1, 'longhaul_tasks_ended_total', { gen_ai_tool_name: 'slow' }],
      [1, 'longhaul_tasks_ended_total', { gen_ai_tool_name: 'failing', longhaul_task_outcome: 'failed' }],
      [2, 'longhaul_step_duration_seconds_count', { gen_ai_tool_name: 'slow' }],
      [1, 'longhaul_pass_pickup_duration_seconds_count', { gen_ai_tool_name: 'slow' }],
      [0, 'longhaul_queue_depth', {}],
      [0, 'longhaul_queue_paused', {}],
    ];
    await expect.poll(() => counted(ports.gateway, atGateway)).toEqual(atGateway);
    await expect.poll(() => counted(ports.worker, atWorker)).toEqual(atWorker);
    // A sample is measured, and reading the metrics asks Redis.
    const commands = async (): Promise<number> =>
      valueOf(await scrape(ports.worker), 'db_client_operation_duration_seconds_count', { db_operation_name: 'evalsha' }) ?? 0;
    await waitUntil(async () => (await commands()) > 0, { description: 'a command of Redis was measured' });
    for (const port of [ports.gateway, ports.worker]) {
      const text = await scrape(port);
      expect(text).not.toContain('no-such-tool');
      expect(text).not.toContain(taskId);
      expect(text).not.toContain(session);
    }
  });

  it('count the calls of proxied servers by server and tool', async () => {
    for (const name of ['proxied__work', 'proxied__fail']) {
      const session = (await older(gateway.url, 'initialize', INITIALIZE)).session ?? '';
      await older(gateway.url, 'tools/call', { name, arguments: {} }, session);
    }
    const ofServer = { longhaul_server: 'proxied' };
    const calls = 'mcp_client_operation_duration_seconds_count';
    const atWorker: readonly Counted[] = [
      [1, calls, { ...ofServer, gen_ai_tool_name: 'work' }],
      [1, calls, { ...ofServer, gen_ai_tool_name: 'fail', error_type: 'tool_error' }],
      [0, 'longhaul_servers_calls_running', ofServer],
    ];
    const atGateway: readonly Counted[] = [
      [1, 'longhaul_servers_connected', ofServer],
      [1, 'longhaul_servers_connections', ofServer],
      [0, 'longhaul_servers_connected', { longhaul_server: 'away' }],
    ];
    await expect.poll(() => counted(ports.worker, atWorker)).toEqual(atWorker);
    await expect.poll(() => counted(ports.gateway, atGateway)).toEqual(atGateway);
  });

  it('are what the dashboard and the alert rules ask for', async () => {
    const types = new Map([...typesOf(await scrape(ports.gateway)), ...typesOf(await scrape(ports.worker))]);
    const instruments = Object.entries({ ...COUNTERS, ...GAUGES, ...HISTOGRAMS });
    const known = new Set(instruments.map(([name, { unit }]) => prometheusName(name, { unit }) + (name in COUNTERS ? '_total' : '')));
    const dashboard = JSON.parse(textOf('deploy/grafana/longhaul.json')) as Dashboard;
    const { groups } = parse(textOf('deploy/prometheus/alerts.yaml')) as Rules;
    const rules = groups.flatMap((group) => group.rules);
    const queries = [...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)), ...rules.map(({ expr }) => expr)];
    const asked = new Set(queries.flatMap((query) => query.match(/\b(?:longhaul|mcp|db)_[a-z_]+(?=[{[)\s]|$)/g) ?? []));
    const metrics = [...asked].filter(
      (name) => !/^(gen_ai|longhaul_server$|longhaul_(task_outcome|repair)|mcp_method_name|db_operation_name)/.test(name),
    );
    const bases = metrics.map((name) => (known.has(name) ? name : name.replace(/_(bucket|count|sum)$/, '')));
    // Some appear for the first time when something goes wrong: they are still known.
    expect(bases.filter((name) => !known.has(name))).toEqual([]);
    expect([...types.keys()].filter((name) => name !== 'target_info' && !known.has(name))).toEqual([]);
    const rare = new Set([
      'longhaul_passes_lost_total',
      'longhaul_passes_retried_total',
      'longhaul_steps_retried_total',
      'longhaul_servers_restarts_total',
      'longhaul_sweep_repairs_total',
    ]);
    expect(bases.filter((name) => !types.has(name) && !rare.has(name))).toEqual([]);
    expect(queries.length).toBeGreaterThan(30);
  });

  it('are on a loopback address, and their port answers nothing else', async () => {
    const other = await fetch(`http://127.0.0.1:${ports.gateway}/`);
    expect(other.status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${ports.gateway}/metrics`, { method: 'POST' })).status).toBe(405);
  });
});
