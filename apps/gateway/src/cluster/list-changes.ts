/**
 * Notifies clients of lists that a deployment has changed. Each gateway compares what it lists with what the deployment
 * listed last, when it starts: so the first one of a new version makes it known. It does so again when it ends: a client
 * that asked a gateway of another version meanwhile has the list of that one, until the last of them is gone.
 */
import { createHash } from 'node:crypto';
import type { FeatureRegistry } from '@longhaul/mcp-features';
import { type FeatureList, listChangedNotification, type SessionNotifications } from '@longhaul/sessions';
import type { ListHashes, ShownLists } from '@longhaul/sessions/gateway';
import type { Logger } from 'pino';

/** What the lists of a gateway are compared by. */
export interface ListChangesDeps {
  readonly shown: ShownLists;
  readonly features: FeatureRegistry;
  readonly notifications: Pick<SessionNotifications, 'publishToAll'>;
  readonly logger: Logger;
}

/** The lists of one gateway among those of the others. What fails is logged: clients may read their lists at any time. */
export class ListChanges {
  readonly #own: ListHashes;

  constructor(private readonly deps: ListChangesDeps) {
    this.#own = hashesOf(deps.features);
  }

  /** Makes known which lists differ from those before, and that these are shown now. */
  async start(): Promise<void> {
    await this.#logFailure(async () => {
      const before = await this.deps.shown.read();
      await this.deps.shown.write(this.#own);
      await this.#makeKnown(before);
    });
  }

  /** Makes known which lists differ from those that are shown now. */
  async stop(): Promise<void> {
    await this.#logFailure(async () => this.#makeKnown(await this.deps.shown.read()));
  }

  async #makeKnown(other: Readonly<Partial<ListHashes>>): Promise<void> {
    const lists = Object.keys(this.#own) as FeatureList[];
    const changed = lists.filter((list) => other[list] !== undefined && other[list] !== this.#own[list]);
    for (const list of changed) await this.deps.notifications.publishToAll(listChangedNotification(list));
    if (changed.length > 0) this.deps.logger.info({ lists: changed }, 'clients were notified of changed lists');
  }

  async #logFailure(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.deps.logger.warn({ err: error }, 'clients were not notified of changed lists');
    }
  }
}

/** Resources and their templates are one list to the protocol's notifications. */
function hashesOf({ tools, prompts, resources, resourceTemplates }: FeatureRegistry): ListHashes {
  const templates = resourceTemplates.filter(({ isListed }) => isListed);
  return { tools: hashOf(tools), prompts: hashOf(prompts), resources: hashOf([...resources, ...templates]) };
}

function hashOf(features: readonly { readonly listing: unknown; readonly needs: readonly unknown[] }[]): string {
  const listed = JSON.stringify(features.map(({ listing, needs }) => [listing, needs]));
  return createHash('sha256').update(listed).digest('base64url').slice(0, 16);
}
