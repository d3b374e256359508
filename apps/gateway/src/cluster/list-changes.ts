/**
 * Notifies clients when a deployment has changed the lists. When a gateway starts, it compares its lists with the deployment's last lists:
 * so the first gateway of a new version notifies clients. It does so again when it ends: clients that asked a gateway of another version in
 * between have the lists of that version, until its last gateway has ended. Lists that change while it runs, such as those of other servers,
 * are compared after each change; of several gateways that see the same change, one notifies.
 */
import { createHash } from 'node:crypto';
import type { FeatureRegistry } from '@longhaul/mcp-features';
import { type FeatureList, listChangedNotification, type SessionNotifications } from '@longhaul/sessions';
import type { ListHashes, ShownLists } from '@longhaul/sessions/gateway';
import type { Logger } from 'pino';

/** The parts of the comparison. */
export interface ListChangesDeps {
  readonly shown: ShownLists;
  readonly features: FeatureRegistry;
  readonly notifications: Pick<SessionNotifications, 'publishToAll'>;
  readonly logger: Logger;
}

/** Compares the lists of one gateway with the other gateways' lists. Failures are logged: clients may read their lists at any time. */
export class ListChanges {
  #own: ListHashes;
  #comparing: Promise<void> = Promise.resolve();
  #stopListening: (() => void) | undefined;

  constructor(private readonly deps: ListChangesDeps) {
    this.#own = hashesOf(deps.features);
  }

  /** Publishes which lists differ from the previous ones, and records the new lists. */
  async start(): Promise<void> {
    this.#stopListening = this.deps.features.onChange(() => {
      this.#comparing = this.#comparing.then(() => this.#compare());
    });
    await this.#compare();
  }

  /** Publishes which lists differ from the recorded ones. */
  async stop(): Promise<void> {
    this.#stopListening?.();
    await this.#comparing;
    await this.#logFailure(async () => this.#makeKnown(await this.deps.shown.read()));
  }

  async #compare(): Promise<void> {
    await this.#logFailure(async () => {
      this.#own = hashesOf(this.deps.features);
      const before = await this.deps.shown.read();
      await this.deps.shown.write(this.#own);
      await this.#makeKnown(before);
    });
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
