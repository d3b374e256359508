/** Clients of both protocol versions for one of two servers that are asked the same, over standard input and output. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { z } from 'zod';
import type { Answers, AskedClient, Message, Recorded } from '../../everything/support/asked-client.js';
import { FullClient } from '../../everything/support/full-client.js';
import type { Generation } from '../../support/ext-tasks.js';

/** A server to start. */
export interface SideServer {
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** What probes call `<place>`: a folder or a URL that only this server has. */
  readonly place: string;
}

/** What is asked in another way in each version. */
interface VersionedClient extends AskedClient {
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): Promise<void>;
}

const AnyResult = z.looseObject({ _meta: z.looseObject({}).optional() });
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/** A client of one server. `<place>` stands for the place of its server, in what is asked and in what comes back. */
export class SideClient implements VersionedClient {
  private constructor(
    private readonly client: VersionedClient,
    readonly place: string,
    /** Of the server's process. */
    readonly pid: number,
  ) {}

  static async connect({ command: [command, ...args], env, cwd, place }: SideServer, generation: Generation): Promise<SideClient> {
    const parameters = { command, args, env: { ...env }, cwd, stderr: 'ignore' as const };
    const transport = generation === '2026-07-28' ? new ModernStdio(parameters) : new StdioClientTransport(parameters);
    const client = await (transport instanceof ModernStdio ? ModernClient.connect(transport) : OlderClient.connect(transport));
    return new SideClient(client, place, transport.pid ?? -1);
  }

  set answers(answers: Answers) {
    this.client.answers = answers;
  }

  get called(): ReadonlySet<unknown> {
    return this.client.called;
  }

  async request(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    try {
      return this.#outOfPlace(await this.client.request(method, replaced(params, '<place>', this.place)));
    } catch (error) {
      if (error instanceof Error) error.message = this.#outOfPlace(error.message);
      throw error;
    }
  }

  subscribe(uri: string): Promise<void> {
    return this.client.subscribe(uri);
  }

  unsubscribe(uri: string): Promise<void> {
    return this.client.unsubscribe(uri);
  }

  recorded(): Recorded {
    return this.#outOfPlace(this.client.recorded());
  }

  forget(): void {
    this.client.forget();
  }

  close(): Promise<void> {
    return this.client.close();
  }

  #outOfPlace<T>(value: T): T {
    return this.place === '' ? value : replaced(value, this.place, '<place>');
  }
}

function replaced<T>(value: T, what: string, by: string): T {
  return JSON.parse(JSON.stringify(value).replaceAll(what, by)) as T;
}

/** Revision 2025-11-25. */
class OlderClient implements VersionedClient {
  private constructor(private readonly full: FullClient) {}

  static async connect(transport: StdioClientTransport): Promise<OlderClient> {
    return new OlderClient(await FullClient.connect(transport));
  }

  set answers(answers: Answers) {
    this.full.answers = answers;
  }

  get called(): ReadonlySet<unknown> {
    return this.full.called;
  }

  request(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>> {
    return this.full.request(method, params);
  }

  async subscribe(uri: string): Promise<void> {
    await this.full.request('resources/subscribe', { uri });
  }

  async unsubscribe(uri: string): Promise<void> {
    await this.full.request('resources/unsubscribe', { uri });
  }

  recorded(): Recorded {
    return this.full.recorded();
  }

  forget(): void {
    this.full.forget();
  }

  close(): Promise<void> {
    return this.full.close();
  }
}

/** Revision 2026-07-28. */
class ModernClient implements VersionedClient {
  answers: Answers = {};
  readonly called = new Set<unknown>();
  readonly #subscriptions = new Map<string, { close(): Promise<void> }>();
  #notified: Message[] = [];

  private constructor(private readonly client: Client) {}

  static async connect(transport: ModernStdio): Promise<ModernClient> {
    const versionNegotiation = { mode: { pin: '2026-07-28' } } as const;
    const client = new Client({ name: 'side-by-side', version: '1' }, { capabilities: {}, versionNegotiation });
    const modern = new ModernClient(client);
    // In place of the SDK's own handler, which drops what comes together with the answer.
    client.setNotificationHandler('notifications/progress', (notification) => modern.#record(notification));
    client.fallbackNotificationHandler = async (notification) => modern.#record(notification);
    await client.connect(transport);
    return modern;
  }

  /** @returns what there is to the result but the name of the server, which the older version has in `initialize` */
  async request(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const isCall = method === 'tools/call';
    if (isCall) this.called.add(params['name']);
    const asking = isCall ? { ...params, _meta: { progressToken: 'side-by-side' } } : params;
    const { _meta: { [SERVER_INFO]: _name, ...meta } = {}, ...result } = await this.client.request({ method, params: asking }, AnyResult);
    return { ...result, _meta: meta };
  }

  async subscribe(uri: string): Promise<void> {
    this.#subscriptions.set(uri, await this.client.listen({ resourceSubscriptions: [uri] }));
  }

  async unsubscribe(uri: string): Promise<void> {
    await this.#subscriptions.get(uri)?.close();
  }

  recorded(): Recorded {
    return { asked: [], notified: [...this.#notified] };
  }

  forget(): void {
    this.#notified = [];
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /** Without what says which request or stream it came with. */
  #record({ method, params = {} }: { readonly method: string; readonly params?: { readonly _meta?: unknown } | undefined }): void {
    const { _meta, ...rest } = params;
    this.#notified.push({ method, params: rest });
  }
}
