/** What requests can be about: sessions, tasks in every state, cursors, event ids and states that the server has given out. */
import { send } from './wire.js';

const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;
const SESSIONS_OF_EACH = 4;

/** A session, and how it was opened. */
export interface WorldSession {
  readonly id: string;
  readonly version: string;
}

/** Values that are right where they belong. */
export interface World {
  readonly url: string;
  readonly sessions: WorldSession[];
  /** Tasks of the first session of 2025-11-25. */
  readonly tasks: readonly string[];
  /** Tasks of clients without sessions. */
  readonly modernTasks: readonly string[];
  readonly cursors: readonly string[];
  readonly eventIds: readonly string[];
  readonly requestStates: readonly string[];
}

interface Answer {
  readonly result?: Record<string, unknown>;
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const CAPABILITIES = { elicitation: { form: {} }, sampling: {}, roots: {} };

const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** What a client of 2026-07-28 says of itself. */
export function envelope(knowsTasks: boolean): Record<string, unknown> {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { ...CAPABILITIES, ...(knowsTasks && { extensions: { [TASKS_EXTENSION]: {} } }) },
  };
}

/** Headers that go with a message of 2026-07-28 of any content. */
export function modernHeaders(method: unknown, params: unknown): [string, string][] {
  const { name, uri, taskId } = (params ?? {}) as Readonly<Record<string, unknown>>;
  return [
    ...Object.entries(HEADERS),
    ['mcp-protocol-version', '2026-07-28'],
    ...headerOf('mcp-method', method),
    ...headerOf('mcp-name', name ?? uri ?? taskId),
  ];
}

function headerOf(header: string, value: unknown): [string, string][] {
  if (typeof value !== 'string' || value === '' || value.length > 4_000) return [];
  return [[header, /^[!-~]([ -~]*[!-~])?$/.test(value) ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`]];
}

/** Headers that go with a message of a session. */
export function sessionHeaders({ id, version }: WorldSession): [string, string][] {
  return [...Object.entries(HEADERS), ['mcp-session-id', id], ['mcp-protocol-version', version]];
}

async function openSession(url: string, version: string): Promise<WorldSession> {
  const params = { protocolVersion: version, capabilities: CAPABILITIES, clientInfo: { name: 'fuzz', version: '1' } };
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 'open', method: 'initialize', params }));
  const { headers } = await send(url, { method: 'POST', path: '', headers: Object.entries(HEADERS), body });
  const id = headers['mcp-session-id'];
  if (typeof id !== 'string') throw new Error('The gateway opens no session.');
  return { id, version };
}

/** Ends a session, and opens another one in its place. */
export async function replaceSession({ url, sessions }: World, old: WorldSession): Promise<void> {
  const place = sessions.indexOf(old);
  if (place === -1) return;
  sessions[place] = await openSession(url, old.version);
  await send(url, { method: 'DELETE', path: '', headers: sessionHeaders(old), body: undefined });
}

export async function createWorld(url: string): Promise<World> {
  const sessions: WorldSession[] = [];
  for (const version of VERSIONS) for (let n = 0; n < SESSIONS_OF_EACH; n++) sessions.push(await openSession(url, version));
  const [session] = sessions;
  if (session === undefined) throw new Error('There is no session.');
  const old = (method: string, params: object) => call(url, method, params, sessionHeaders(session));
  const modern = (method: string, params: Record<string, unknown>, knowsTasks = true) =>
    call(url, method, { ...params, _meta: envelope(knowsTasks) }, modernHeaders(method, params));
  const tasks: string[] = [];
  const modernTasks: string[] = [];
  for (const name of ['later', 'always-later', 'ask-later', 'ask-later']) {
    const { result } = await old('tools/call', { name, arguments: { a: 1 }, task: {} });
    tasks.push((result as { task: { taskId: string } }).task.taskId);
    const created = await modern('tools/call', { name, arguments: { a: 1 } });
    modernTasks.push(String(created.result?.['taskId']));
  }
  await old('tasks/cancel', { taskId: tasks[3] });
  await modern('tasks/cancel', { taskId: modernTasks[3] });
  const lists = [
    await old('tools/list', {}),
    await old('tasks/list', {}),
    await modern('tools/list', {}),
    await modern('resources/list', {}),
  ];
  const asked = [
    await modern('tools/call', { name: 'ask-inline', arguments: {} }),
    await modern('tools/call', { name: 'ask-later', arguments: {} }, false),
  ];
  const waiting = await send(url, {
    method: 'POST',
    path: '',
    headers: sessionHeaders(session),
    body: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/result', params: { taskId: tasks[2] } })),
  });
  return {
    url,
    sessions,
    tasks,
    modernTasks,
    cursors: textsOf(lists, 'nextCursor'),
    requestStates: textsOf(asked, 'requestState'),
    eventIds: [...waiting.text.matchAll(/^id: (.*)$/gm)].flatMap(([, id]) => (id === undefined ? [] : [id])),
  };
}

function textsOf(answers: readonly Answer[], member: string): string[] {
  return answers.map(({ result }) => result?.[member]).filter((value) => typeof value === 'string');
}

async function call(url: string, method: string, params: object, headers: [string, string][]): Promise<Answer> {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const { text, status, messages } = await send(url, { method: 'POST', path: '', headers, body });
  const answer = messages.at(-1) as Answer | undefined;
  if (answer?.result === undefined) throw new Error(`${method}: HTTP ${status}: ${text}`);
  return answer;
}
