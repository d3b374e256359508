/** What features tell all clients, for the `subscriptions/listen` streams of this process. It comes from any process. */
import {
  type ClientNotification,
  listChangedNotification,
  resourceUpdatedNotification,
  type SessionNotifications,
} from '@longhaul/sessions';
import type { Unsubscribe } from '@longhaul/tasks';
import { InMemoryServerEventBus, type ServerEvent, type ServerEventBus } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';

const LISTS = { tools_list_changed: 'tools', prompts_list_changed: 'prompts', resources_list_changed: 'resources' } as const;

/** A bus between processes. */
export class NewsBus implements ServerEventBus {
  readonly #listeners: InMemoryServerEventBus;
  #unsubscribe: Unsubscribe | undefined;

  constructor(
    private readonly news: SessionNotifications,
    private readonly logger: Logger,
  ) {
    this.#listeners = new InMemoryServerEventBus((error) => logger.error({ err: error }, 'news not passed on'));
  }

  /** Begins to hear of what others tell. */
  async start(): Promise<void> {
    this.#unsubscribe = await this.news.subscribeToAll((news) => {
      const event = eventOf(news);
      if (event !== undefined) this.#listeners.publish(event);
    });
  }

  stop(): void {
    this.#unsubscribe?.();
  }

  publish(event: ServerEvent): void {
    const news = event.kind === 'resource_updated' ? resourceUpdatedNotification(event.uri) : listChangedNotification(LISTS[event.kind]);
    this.news.publishToAll(news).catch((error: unknown) => this.logger.warn({ err: error }, 'clients not told'));
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    return this.#listeners.subscribe(listener);
  }
}

function eventOf({ method, params }: ClientNotification): ServerEvent | undefined {
  const { uri } = params;
  if (method === 'notifications/resources/updated') return typeof uri === 'string' ? { kind: 'resource_updated', uri } : undefined;
  const [, list] = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(method) ?? [];
  return list === undefined ? undefined : { kind: `${list as 'tools' | 'prompts' | 'resources'}_list_changed` };
}
