/** Runs the client package of the tasks extension over a client of the second SDK generation, in both generations of the protocol. */
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  type ApplicationInputHandler,
  type ApplicationInputRequest,
  createTaskSessionFromClient,
  type RawClientDispatch,
  type TaskEnabledSession,
  toolDeclarationFromMcpTool,
} from '@modelcontextprotocol/ext-tasks/client';
import { messagesOf } from './event-stream.ts';

export type Generation = '2025-11-25' | '2026-07-28';

/** A connected client and its session of tasks. */
export interface TaskClient {
  readonly client: Client;
  readonly session: TaskEnabledSession;
  /** Methods of the requests that the session made by itself, in generation 2026-07-28. */
  readonly sent: string[];
  close(): Promise<void>;
}

const clientInfo = { name: 'ext-tasks-client', version: '1.0.0' };
const CAPABILITIES = { elicitation: { form: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } };
const LEGACY_CAPABILITIES = { elicitation: { form: {} } };

/** Answers a question. */
export type AnswerForm = (message: string, by: string) => Readonly<Record<string, string>> | undefined;

export async function connectTaskClient(url: string, generation: Generation, answer: AnswerForm = () => undefined): Promise<TaskClient> {
  const isModern = generation === '2026-07-28';
  const capabilities: NonNullable<ClientOptions['capabilities']> = isModern ? CAPABILITIES : LEGACY_CAPABILITIES;
  const client = new Client(clientInfo, { capabilities, ...(isModern && { versionNegotiation: { mode: { pin: generation } } }) });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const { tools } = await client.listTools();
  const declarations = new Map(tools.map((tool) => [tool.name, toolDeclarationFromMcpTool(tool)]));
  const sent: string[] = [];
  const options = {
    endpointId: 'tests',
    tools: { currentTool: (name: string) => declarations.get(name) },
    onInputRequest: answering(answer),
  };
  const framing = { protocolVersion: generation, clientInfo, clientCapabilities: capabilities as typeof CAPABILITIES };
  const session = createTaskSessionFromClient(
    client,
    isModern ? { ...options, rawDispatch: rawDispatchTo(url, sent), v2RequestFraming: framing } : options,
  );
  return {
    client,
    session,
    sent,
    async close() {
      await session.close();
      await client.close();
    },
  };
}

function answering(answer: AnswerForm): ApplicationInputHandler['handle'] {
  const handle = (request: ApplicationInputRequest, { delivery }: { readonly delivery: string }): object => {
    const { message } = request.params as { readonly message: string };
    const content = answer(message, delivery);
    return content === undefined ? { action: 'decline' } : { action: 'accept', content };
  };
  return ((...asked: Parameters<typeof handle>) => Promise.resolve(handle(...asked))) as ApplicationInputHandler['handle'];
}

/** The requests that the SDK's client cannot make, since it does not know their results. */
function rawDispatchTo(url: string, sent: string[]): RawClientDispatch {
  return async (request, { signal, context } = {}) => {
    const { method, params } = request as { method: string; params: { name?: string } };
    sent.push(method);
    const headers = new Headers({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(params.name !== undefined && { 'mcp-name': params.name }),
    });
    for (const [name, value] of Object.entries(context?.headers ?? {})) headers.set(name, value);
    const body = JSON.stringify({ jsonrpc: '2.0', id: `own-${sent.length}`, method, params });
    const response = await fetch(url, { method: 'POST', headers, body, ...(signal !== undefined && { signal }) });
    const { result, error } = lastMessageOf(response.headers.get('content-type') ?? '', await response.text());
    return error === undefined ? { kind: 'result', result: result as never } : { kind: 'error', error };
  };
}

function lastMessageOf(contentType: string, text: string): { result?: unknown; error?: { code: number; message: string } } {
  if (!contentType.startsWith('text/event-stream')) return JSON.parse(text) as object;
  return messagesOf(text).at(-1) ?? {};
}
