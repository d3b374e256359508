/** Tests that settings affect the processes of `longhaul start`. */
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import { freePort } from '@longhaul/bench/free-port';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { section, sorted, tableRows } from '../docs/documents.js';
import { waitUntil } from '../support/wait-until.js';
import { type Launcher, Workplace } from './support/launcher.js';

/** Settings that are not tested here, and why. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  REDIS_URL: 'start.test.ts',
  HOST: 'start.test.ts',
  LONGHAUL_DATA_DIR: 'start.test.ts',
  LONGHAUL_ALLOW_ANONYMOUS: 'start.test.ts',
  LONGHAUL_REDIS_CLUSTER: 'of Redis',
  LONGHAUL_REDIS_WATERMARK: 'of Redis',
  LONGHAUL_KEY_PREFIX: 'of Redis',
  LONGHAUL_KEYS: 'of what is encrypted: test/encryption',
  LONGHAUL_ENCRYPTION: 'of what is encrypted: test/encryption',
  LONGHAUL_BLOBS: 'of large values: test/tasks/processes/large-values.test.ts',
  LONGHAUL_BLOBS_ENDPOINT: 'the same',
  LONGHAUL_BLOBS_REGION: 'the same',
  LONGHAUL_LARGE_VALUE_BYTES: 'the same',
  LONGHAUL_MAX_LARGE_VALUE_BYTES: 'the same',
  LONGHAUL_TENANTS: 'of many tenants: test/operator/tenants',
  LONGHAUL_KEEP_CONTINUED_MS: 'of what only operators see',
  LONGHAUL_KEEP_ENDED_MS: 'of what only operators see',
  LONGHAUL_KEEP_FAILED_MS: 'of what only operators see',
  LONGHAUL_OPS_HOST: 'of operators: test/operator',
  LONGHAUL_OPS_PORT: 'of operators: operators.test.ts',
  LONGHAUL_OPS_TOKENS: 'of operators: test/operator',
  LONGHAUL_ALERTS: 'of operators: test/operator/in-process/alerts.test.ts',
  LONGHAUL_TRACE_URL: 'of operators: link-settings.unit.test.ts',
  LONGHAUL_LOGS_URL: 'of operators: link-settings.unit.test.ts',
  LONGHAUL_OPS_ALLOWED_HOSTS: 'of operators: test/operator',
  LONGHAUL_OPS_ANSWERS: 'of operators: test/operator',
  LONGHAUL_AUDIT: 'of what only operators see: test/access',
  LONGHAUL_AUDIT_ENTRIES: 'of operators: test/stores/contract',
  LONGHAUL_OPS_URL: 'of commands: operators.test.ts',
  LONGHAUL_OPS_TOKEN: 'of commands: operators.test.ts',
  LONGHAUL_SQLITE_SYNC: 'of a loss of power: config.unit.test.ts',
  LONGHAUL_SQLITE_MAX_BYTES: 'of a full store: test/faults/processes/full-store',
  LONGHAUL_ISSUERS: 'of an authorization server: test/access',
  LONGHAUL_PUBLIC_URL: 'of an authorization server: test/access',
  LONGHAUL_SCOPES: 'of an authorization server: test/access',
  LONGHAUL_SECRET: 'of several gateways',
  LONGHAUL_OLD_SECRETS: 'of several gateways',
  LONGHAUL_PROXY_HOPS: 'of a proxy',
  LONGHAUL_OPS_PROXY_HOPS: 'of a proxy: test/operator',
  LONGHAUL_REQUEST_STATE_MS: 'of the other protocol version',
  LONGHAUL_MAX_LISTEN_STREAMS: 'of the other protocol version',
  LONGHAUL_MAX_QUEUED: 'of many clients: queue-limit.test.ts',
  LONGHAUL_MAX_SESSIONS_PER_HOUR: 'of many clients',
  LONGHAUL_MAX_OPEN_SESSIONS: 'of many clients: open-sessions.test.ts',
  LONGHAUL_MAX_REQUESTS_PER_SECOND: 'of many clients: request-limits.test.ts',
  LONGHAUL_MAX_REQUEST_BURST: 'of many clients: request-limits.test.ts',
  LONGHAUL_MAX_FAILED_AUTHENTICATIONS: 'of many clients: request-limits.test.ts',
  LONGHAUL_MAX_CONNECTIONS: 'of many clients',
  LONGHAUL_BODIES_IN_WORK_BYTES: 'of many clients: bodies-in-work.unit.test.ts',
  LONGHAUL_STRICT_TASKS: 'of what tools list: required-tasks.test.ts',
  LONGHAUL_KEEP_QUESTIONS: 'of clients that cannot be asked: kept-questions.test.ts',
  LONGHAUL_REQUEST_TIMEOUT_MS: 'of slow clients',
  LONGHAUL_MAX_BLOCK_MS: 'of processes that stand still: test/faults/processes/poison',
  LONGHAUL_ISOLATED_PROCESSES: 'of tasks whose process died',
  LONGHAUL_ISOLATED_TRIAL_MS: 'of tasks whose process died',
  LONGHAUL_ISOLATED_MEMORY_BYTES: 'of tasks whose process died',
  LONGHAUL_STATELESS: 'does without the sessions of this test',
  LONGHAUL_SESSION_IDLE_MS: 'a minute at least',
  LONGHAUL_NO_WORKER_MS: 'of several versions',
  LONGHAUL_VERSION: 'of several versions',
  LONGHAUL_MAX_OPEN_STREAMS: 'of several streams',
  LONGHAUL_SYNC_WAIT_MS: 'of plain calls: plain-calls.test.ts',
  LONGHAUL_SERVERS: 'of servers in front: proxy tests',
  LONGHAUL_BARE_PROTOCOL: 'of plain calls: plain-calls.test.ts',
  LONGHAUL_RESULT_CHARACTERS: 'of long results: long-results.test.ts',
  LONGHAUL_WEBHOOKS: 'of other servers: webhook-settings.unit.test.ts',
  LONGHAUL_SCHEDULES: 'of tools that start by themselves: test/tasks/processes/schedules.test.ts',
  LONGHAUL_MAX_SCHEDULES: 'of operators: test/operator/in-process/schedules.test.ts',
  LONGHAUL_MAX_SCHEDULES_PER_TENANT: 'of operators: test/stores/contract',
  LONGHAUL_SCHEDULE_EVENTS: 'of operators: test/stores/contract',
  LONGHAUL_LONGEST_WAIT_MS: 'of clients with limits: waiting-time.unit.test.ts',
  LONGHAUL_SIGN_OF_LIFE_MS: 'of clients with limits: signs-of-life.test.ts',
  LONGHAUL_ON_ABANDONED: 'of clients with limits: given-up-calls.test.ts',
  LONGHAUL_KNOWN_CLIENTS: 'of clients with limits: config.unit.test.ts',
  LONGHAUL_SIMULATED_UPDATES_MS: 'of session jobs',
  LONGHAUL_WORKER_CONCURRENCY: 'of load',
  LONGHAUL_STEP_TIMEOUT_MS: 'of slow steps',
  LONGHAUL_MAX_CHILDREN: 'of tools that call tools: children.unit.test.ts',
  LONGHAUL_MAX_CHILDREN_AT_ONCE: 'of tools that call tools: children.unit.test.ts',
  LONGHAUL_MAX_CHILD_DEPTH: 'of tools that call tools: children.unit.test.ts',
  LONGHAUL_CHILD_START_MS: 'of tools that call tools: children.unit.test.ts',
  NODE_ENV: 'of mistakes in tools: test/telemetry/processes/logging',
  LONGHAUL_WORKFLOW_WARNINGS: 'of mistakes in tools: test/telemetry/processes/logging',
  LONGHAUL_MAX_HISTORY_BYTES: 'of large histories',
  LOG_FORMAT: 'of terminals: test/telemetry/processes/logging',
  LONGHAUL_METRICS_PORT: 'of telemetry: test/telemetry/processes',
  LONGHAUL_METRICS_HOST: 'of telemetry: test/telemetry/processes',
  LONGHAUL_GIT_ROOTS: 'of another package of features: test/reference-servers/processes/git.test.ts',
  LONGHAUL_GZIP_MAX_MS: 'of slow servers',
  LONGHAUL_MEMORY_MAX_BYTES: 'of the reference servers: memory.test.ts',
  LONGHAUL_LOCAL_TIMEZONE: 'of the reference servers: time-tools.unit.test.ts',
  LONGHAUL_GZIP_ALLOW_PRIVATE: 'of servers here, which LONGHAUL_GZIP_ALLOWED_DOMAINS keeps out',
  LONGHAUL_PRIVATE_NETWORKS: 'of networks that are not here: environment.unit.test.ts, public-address.unit.test.ts',
  LONGHAUL_FETCH_USER_AGENT: 'of a package that is not served here: test/reference-servers/processes/fetch.test.ts',
  LONGHAUL_FETCH_IGNORE_ROBOTS: 'of a package that is not served here: test/reference-servers/processes/fetch.test.ts',
  LONGHAUL_FETCH_ALLOW_PRIVATE: 'of a package that is not served here: test/reference-servers/processes/fetch.test.ts',
  LONGHAUL_FETCH_PROXY_URL: 'of a package that is not served here: test/reference-servers/processes/fetch.test.ts',
  LONGHAUL_FETCH_MAX_HTML_BYTES: 'of a package that is not served here: test/reference-servers/processes/fetch.test.ts',
  LONGHAUL_FETCH_MAX_BYTES: 'of a package that is not served here: test/reference-servers/processes/fetch.test.ts',
  LONGHAUL_AGENT_AGENTS: 'of the agent: called-agents.unit.test.ts',
  LONGHAUL_AGENT_API: 'of the agent: settings.unit.test.ts',
  LONGHAUL_AGENT_API_KEY: 'of the agent: settings.unit.test.ts',
  LONGHAUL_AGENT_BASE_URL: 'of the agent: settings.unit.test.ts',
  LONGHAUL_AGENT_CONTEXT_TOKENS: 'of the agent: settings.unit.test.ts',
  LONGHAUL_AGENT_FALLBACKS: 'of the agent: settings.unit.test.ts',
  LONGHAUL_AGENT_MAX_MS: 'of the agent: settings.unit.test.ts',
  LONGHAUL_AGENT_MAX_LISTED_TOOLS: 'of the agent: settings.unit.test.ts',
  LONGHAUL_AGENT_MAX_ROUNDS: 'of the agent: settings.unit.test.ts',
  LONGHAUL_AGENT_MAX_SPEND: 'of the agent: settings.unit.test.ts',
  LONGHAUL_AGENT_MAX_TOKENS: 'of the agent: settings.unit.test.ts',
  LONGHAUL_AGENT_MODEL: 'of the agent: settings.unit.test.ts',
  LONGHAUL_AGENT_MODELS: 'of the agent: settings.unit.test.ts',
  LONGHAUL_AGENT_SAMPLING: 'of the agent: settings.unit.test.ts',
  LONGHAUL_AGENT_SERVERS: 'of the agent: settings.unit.test.ts',
  LONGHAUL_AGENT_SYSTEM_PROMPT_FILE: 'of the agent: settings.unit.test.ts',
  LONGHAUL_AGENT_THREADS_MAX_BYTES: 'of the agent: settings.unit.test.ts',
  LONGHAUL_AGENT_TIMEOUT_MS: 'of the agent: settings.unit.test.ts',
  LONGHAUL_AGENT_TOOL_MODE: 'of the agent: settings.unit.test.ts',
  LONGHAUL_AGENT_TRACE_CONTENT: 'of the agent: model-telemetry.unit.test.ts',
};

const SET = {
  LOG_LEVEL: 'info',
  LONGHAUL_TOKENS: 'ada:token-of-ada-0001,bob:token-of-bob-0001,carol:token-of-carol-1',
  LONGHAUL_ALLOWED_HOSTS: 'served.example',
  LONGHAUL_ALLOWED_ORIGINS: 'https://app.example',
  LONGHAUL_BODY_LIMIT_BYTES: '200000',
  LONGHAUL_BODY_LIMIT_VALUES: '2000',
  LONGHAUL_MAX_TTL_MS: '60000',
  LONGHAUL_MAX_TASKS_PER_OWNER: '1',
  LONGHAUL_MAX_TASKS_PER_MINUTE: '2',
  LONGHAUL_MAX_HISTORY_BYTES_PER_OWNER: '65536',
  LONGHAUL_PAGE_SIZE: '2',
  LONGHAUL_EXPOSE_ENV: '1',
  LONGHAUL_GZIP_MAX_BYTES: '3',
  LONGHAUL_GZIP_ALLOWED_DOMAINS: 'files.example',
  LONGHAUL_FEATURES: `@longhaul/everything,${fileURLToPath(new URL('support/features.ts', import.meta.url))}`,
  LONGHAUL_SERVER_NAME: 'Tools of Ada',
  LONGHAUL_SERVER_TITLE: 'Everything that Ada needs',
  LONGHAUL_SERVER_VERSION: '7.0.1',
  LONGHAUL_SERVER_ICON: 'data:image/svg+xml,%3Csvg/%3E',
  LONGHAUL_INSTRUCTIONS: 'Ask before you order.',
  LONGHAUL_RESEARCH_STAGE_MS: '3600000',
  LONGHAUL_DRAIN_MS: '0',
};

/** Chosen when the test runs. */
const PORTS = ['PORT', 'LONGHAUL_HEALTH_PORT'];

type Name = 'ada' | 'bob' | 'carol';

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly session: string | undefined;
}

test('every documented setting is looked at here, or there is a reason why not', () => {
  const documented = tableRows(section('docs/configuration.md', 'Variables')).map(([name]) => name);
  expect(sorted([...Object.keys(SET), ...PORTS, ...Object.keys(ELSEWHERE)])).toEqual(sorted(documented));
});

describe('longhaul start', () => {
  let place: Workplace;
  let launcher: Launcher;
  let endpoint: URL;
  let healthPort: number;
  let port: number;

  beforeAll(async () => {
    place = new Workplace();
    [port, healthPort] = [await freePort(), await freePort()];
    launcher = place.run(['start'], { ...SET, PORT: String(port), LONGHAUL_HEALTH_PORT: String(healthPort) });
    endpoint = await launcher.endpoint();
  });
  afterAll(() => place.close());

  async function post(message: object, headers: Readonly<Record<string, string>> = {}, name: Name = 'ada'): Promise<Answer> {
    const authorization = `Bearer ${/\w+:(\S+)/.exec(SET.LONGHAUL_TOKENS.split(',').find((pair) => pair.startsWith(name)) ?? '')?.[1]}`;
    const common = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', authorization };
    return new Promise((resolve, reject) => {
      const sent = request(endpoint, { method: 'POST', headers: { ...common, ...headers } }, (response) => {
        const session = response.headers['mcp-session-id'];
        const of = { status: response.statusCode ?? 0, session: typeof session === 'string' ? session : undefined };
        void text(response).then((body) => resolve({ ...of, body }), reject);
      });
      sent.on('error', reject);
      sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }));
    });
  }

  const hello = {
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };

  async function session(name: Name): Promise<(method: string, params?: object) => Promise<string>> {
    const { session: id = '' } = await post(hello, {}, name);
    return async (method, params = {}) => (await post({ method, params }, { 'mcp-session-id': id }, name)).body;
  }

  test('listens at PORT and LONGHAUL_HEALTH_PORT', async () => {
    expect(endpoint.port).toBe(String(port));
    await waitUntil(async () => (await fetch(`http://127.0.0.1:${healthPort}/readyz`)).ok, { description: 'the worker is ready' });
  });

  test('lets in whom LONGHAUL_TOKENS, LONGHAUL_ALLOWED_HOSTS and LONGHAUL_ALLOWED_ORIGINS name, and no other', async () => {
    expect((await post(hello, { authorization: 'Bearer another-token-0001' })).status).toBe(401);
    expect((await post(hello, { host: 'served.example' })).status).toBe(200);
    expect((await post(hello, { host: 'other.example' })).status).toBe(403);
    expect((await post(hello, { origin: 'https://app.example' })).status).toBe(200);
    expect((await post(hello, { origin: 'https://other.example' })).status).toBe(403);
  });

  test('says what LONGHAUL_SERVER_* and LONGHAUL_INSTRUCTIONS say', async () => {
    const { result } = JSON.parse((await post(hello)).body) as { result: { serverInfo: object; instructions: string } };
    expect(result.serverInfo).toEqual({
      name: 'Tools of Ada',
      title: 'Everything that Ada needs',
      version: '7.0.1',
      icons: [{ src: 'data:image/svg+xml,%3Csvg/%3E' }],
    });
    expect(result.instructions).toBe('Ask before you order.');
  });

  test('keeps to LONGHAUL_BODY_LIMIT_BYTES, LONGHAUL_BODY_LIMIT_VALUES and LONGHAUL_PAGE_SIZE', async () => {
    expect((await post({ ...hello, more: 'x'.repeat(200_000) })).status).toBe(413);
    expect((await post({ ...hello, more: Array.from({ length: 2_000 }, () => 1) })).status).toBe(413);
    const { result } = JSON.parse(await (await session('ada'))('tools/list')) as {
      result: { tools: { name: string }[]; nextCursor?: string };
    };
    // The first page also has the tools that stand in for the methods of tasks.
    expect(result.tools.filter(({ name }) => !name.startsWith('task_'))).toHaveLength(2);
    expect(result.nextCursor).toBeDefined();
  });

  test('has the features of LONGHAUL_FEATURES, LONGHAUL_EXPOSE_ENV and LONGHAUL_GZIP_*', async () => {
    const call = await session('ada');
    const tool = (name: string, args: object = {}) => call('tools/call', { name, arguments: args });
    expect(await call('prompts/get', { name: 'greet', arguments: { name: 'Ada' } })).toContain('Say hello to Ada.');
    expect(await tool('get-env')).toContain('LONGHAUL_EXPOSE_ENV');
    expect(await tool('gzip-file-as-resource', { data: 'data:,four' })).toContain('It is larger than 3 bytes');
    expect(await tool('gzip-file-as-resource', { data: 'http://other.example/' })).toContain('not in the allowed domains');
  });

  test('keeps to the limits of an owner and the longest ttl', async () => {
    const call = await session('ada');
    const research = () => call('tools/call', { name: 'simulate-research-query', arguments: { topic: 'python' }, task: { ttl: 600_000 } });
    expect(JSON.parse(await research())).toMatchObject({ result: { task: { ttl: 60_000 } } });
    // It works on its first stage for an hour.
    expect(await research()).toContain('At most 1 tasks may be unfinished');
    expect(await call('tasks/list')).toContain('working');

    const other = await session('bob');
    const quick = () => other('tools/call', { name: 'trigger-long-running-operation', arguments: { duration: 0, steps: 1 } });
    for (let call = 0; call < 2; call++) expect(await quick()).toContain('operation completed');
    expect(await quick()).toContain('At most 2 tasks may be created in a minute');

    const large = { topic: 'x'.repeat(100_000) };
    const third = await session('carol');
    expect(await third('tools/call', { name: 'simulate-research-query', arguments: large, task: {} })).toContain('at most 65536 bytes');
    await waitUntil(() => launcher.stdout().includes('"msg":"task created"'), { description: 'LOG_LEVEL lets through what is info' });
  });

  test('ends without a wait for what runs, as LONGHAUL_DRAIN_MS says', async () => {
    launcher.signal('SIGTERM');
    expect((await launcher.ended).code).toBe(0);
  });
});
