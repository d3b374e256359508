/** The stock client of the SDK, with a say in which gateway each of its requests goes to. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type CallToolResult,
  CreateTaskResultSchema,
  ElicitRequestSchema,
  type ElicitResult,
  ErrorCode,
  type JSONRPCMessage,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { waitUntil } from '../../support/wait-until.js';

/** How long a request may be without an answer that needs no waiting. */
const PATIENCE_MS = 5_000;

/** One HTTP request of a client. */
export interface Hop {
  /** The JSON-RPC method; `answer` is a response to the server, `stream` the session's GET. */
  readonly what: string;
  readonly url: string;
  /** The event that it resumes a stream after. */
  readonly lastEventId: string | undefined;
}

/** Picks the endpoint of the next request. */
export type Route = (hops: readonly Hop[]) => string;

/** A connected client, where its requests went, and what came to it on answers and streams. */
export interface RoutedClient {
  readonly client: Client;
  readonly hops: readonly Hop[];
  readonly received: readonly JSONRPCMessage[];
}

/** Each request to another one than the request before. */
export function alternating(urls: readonly string[]): Route {
  return ({ length }) => urls[length % urls.length] ?? '';
}

/** Connects. @param answer what the client answers when it is asked; without it, it cannot be asked */
export async function connect(route: Route, answer?: (message: string) => ElicitResult | Promise<ElicitResult>): Promise<RoutedClient> {
  const hops: Hop[] = [];
  const received: JSONRPCMessage[] = [];
  const client = new Client({ name: 'container-test', version: '1' }, { capabilities: answer === undefined ? {} : { elicitation: {} } });
  if (answer !== undefined) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message));
  const send = (_url: string | URL, init?: RequestInit): Promise<Response> => {
    const url = route(hops);
    hops.push({ what: kindOf(init), url, lastEventId: new Headers(init?.headers).get('last-event-id') ?? undefined });
    return fetch(url, init);
  };
  const transport = new StreamableHTTPClientTransport(new URL(route([])), { fetch: send });
  // The client calls what was there before it connected first, then takes the message itself.
  Object.assign(transport, { onmessage: (message: JSONRPCMessage) => received.push(message) });
  await client.connect(transport);
  return { client, hops, received };
}

function kindOf({ method, body }: RequestInit = {}): string {
  if (method !== 'POST') return method === 'GET' ? 'stream' : String(method);
  const message = JSON.parse(body as string) as { method?: string };
  return message.method ?? 'answer';
}

/** Starts a task. @returns its id */
export async function createTask(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const { task } = await client.request({ method: 'tools/call', params: { name, arguments: args, task: {} } }, CreateTaskResultSchema);
  return task.taskId;
}

/** Asks for the status of a task, with little patience. */
export async function statusOf(client: Client, taskId: string): Promise<string> {
  return (await client.experimental.tasks.getTask(taskId, { timeout: PATIENCE_MS })).status;
}

/** Polls a task until it has this status, over every outage. */
export async function untilStatus(client: Client, taskId: string, status: string, timeoutMs = 60_000): Promise<void> {
  const poll = () => statusOf(client, taskId);
  await waitUntil(async () => (await whenServed(poll)) === status, { timeoutMs, description: `task ${taskId} is ${status}` });
}

/** Asks until it is answered, as long as an outage explains why it was not. @param onOutage called each time that it was not */
export async function whenServed<T>(ask: () => Promise<T>, onOutage: () => void = () => undefined): Promise<T> {
  const served = await waitUntil(
    async () => {
      try {
        return { answer: await ask() };
      } catch (error) {
        if (!isOutage(error)) throw error;
        onOutage();
        return undefined;
      }
    },
    // Longer than one request waits for its answer: when a stream broke off, the next one begins only after that.
    { timeoutMs: 90_000, description: 'a request is served' },
  );
  return served.answer;
}

/**
 * What a client should ask again after: a connection that is closed, a request whose stream broke off (the client of
 * the SDK only notices that nothing came), and a fault that says so.
 */
const AGAIN: ReadonlySet<number> = new Set([ErrorCode.ConnectionClosed, ErrorCode.RequestTimeout]);

function isOutage(error: unknown): boolean {
  if (error instanceof StreamableHTTPError) return error.code === 503;
  if (error instanceof McpError) return AGAIN.has(error.code) || error.message.endsWith('Try again.');
  return error instanceof TypeError; // What `fetch` throws when nobody answers.
}

export function textOf({ content }: CallToolResult): string {
  return content.map((item) => (item.type === 'text' ? item.text : '')).join('');
}
