/**
 * Keeps what servers offered in the store of the deployment, for a start at which one of them is away. A store that cannot be read, or
 * written, is done without.
 */
import { createHash } from 'node:crypto';
import type { ServerConfig } from '@longhaul/servers';
import { createOwnerStore, type OwnerRecords, type Signals } from '@longhaul/sessions';
import { isJsonObject, type Json, type OwnerCollection, type RecordUpdate, type Unsubscribe } from '@longhaul/tasks';
import { z } from 'zod';
import type { Snapshot } from './snapshot.js';

/** Kept under a name that no owner has. */
const OWNER = 'longhaul/servers';
const COLLECTION = 'offered';
const FORMAT = 1;
/** Of all servers; one for which there is no room is not kept. */
const MAX_BYTES = 32 * 1024 * 1024;
/** The channel for hints that something else is kept. */
const CHANNEL = 'server-catalogue';
/** How often a process that follows it looks, in case a hint was missed. */
const LOOK_MS = 10_000;
/** How long the snapshot of a server is kept that is not in the file any more. */
const KEPT_MS = 30 * 24 * 3_600_000;

const named = z.looseObject({ name: z.string() });
const kept = z.object({
  format: z.literal(FORMAT),
  /** The entry of the file of servers that it was read for. */
  of: z.string(),
  snapshot: z.object({
    tools: z.array(z.looseObject({ name: z.string(), inputSchema: z.looseObject({}) })),
    prompts: z.array(named),
    resources: z.array(z.looseObject({ name: z.string(), uri: z.string() })),
    resourceTemplates: z.array(z.looseObject({ name: z.string(), uriTemplate: z.string() })),
    completes: z.boolean(),
    reads: z.boolean(),
    instructions: z.string().optional(),
    identity: z.looseObject({ name: z.string(), version: z.string() }).optional(),
    readAt: z.number(),
  }),
});

export class KeptSnapshots {
  readonly #entries = new Map<string, { readonly of: string; readonly snapshot: Snapshot }>();
  #records: OwnerCollection | undefined;
  #signals: Signals | undefined;
  #writing: Promise<void> = Promise.resolve();
  #reading: Promise<void> | undefined;

  /**
   * @param served the servers of this process
   * @param warn receives a line when something cannot be kept or read
   */
  constructor(
    private readonly served: readonly Pick<ServerConfig, 'name'>[],
    private readonly warn: (line: string) => void,
  ) {}

  /** Reads the kept snapshots, and keeps new ones there from now on. Without this nothing is kept. Never rejects. */
  async readFrom(store: OwnerRecords, signals?: Signals): Promise<void> {
    this.#records = createOwnerStore(store).of({ id: OWNER }).collection(COLLECTION, { maxBytes: MAX_BYTES });
    this.#signals = signals;
    await this.#read();
  }

  /**
   * Reads it again whenever another process has kept something else.
   *
   * @param onChange called when something else is kept than before
   * @returns a function that ends that
   * @throws TaskError `STORE_UNAVAILABLE`
   */
  async follow(onChange: () => void): Promise<Unsubscribe> {
    const look = async (): Promise<void> => {
      // A read that is under way may have begun before the change.
      await this.#reading;
      const before = this.#times();
      this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
      await this.#reading;
      if (this.#times() !== before) onChange();
    };
    const unsubscribe = await this.#signals?.subscribe(CHANNEL, () => void look());
    const timer = setInterval(() => void look(), LOOK_MS).unref();
    return () => {
      clearInterval(timer);
      unsubscribe?.();
    };
  }

  /** The last snapshot of the server, unless its entry in the file of servers has changed since. */
  get(config: ServerConfig): Snapshot | undefined {
    const entry = this.#entries.get(config.name);
    return entry?.of === identityOf(config) ? entry.snapshot : undefined;
  }

  /** Keeps it, soon. */
  put(config: ServerConfig, snapshot: Snapshot): void {
    const entry = { of: identityOf(config), snapshot };
    this.#entries.set(config.name, entry);
    const value = JSON.parse(JSON.stringify({ format: FORMAT, ...entry })) as Json;
    this.#writing = this.#writing.then(() => this.#write({ id: config.name, value }));
  }

  /** Resolves when all is kept that can be. */
  written(): Promise<void> {
    return this.#writing;
  }

  async #read(): Promise<void> {
    try {
      await this.#records?.read((records) => {
        for (const [name, record] of records) this.#take(name, record);
      });
    } catch (error) {
      this.warn(`What servers offered before cannot be read: ${String(error)}`);
    }
  }

  /** Differs when something else is kept. */
  #times(): string {
    return JSON.stringify([...this.#entries].map(([name, { of, snapshot }]) => [name, of, snapshot.readAt]));
  }

  #take(name: string, record: Json): void {
    const { data, error } = kept.safeParse(record);
    if (data === undefined) this.warn(`What the server "${name}" offered before cannot be read: ${error.issues[0]?.message}`);
    else this.#entries.set(name, { of: data.of, snapshot: data.snapshot as unknown as Snapshot });
  }

  async #write(update: RecordUpdate): Promise<void> {
    try {
      await this.#records?.update((records) => ({ changes: [update, ...this.#old(records)], result: undefined }));
      await this.#signals?.publish(CHANNEL, '');
    } catch (error) {
      this.warn(`What the server "${update.id}" offers cannot be kept: ${String(error)}`);
    }
  }

  /** Those of servers that are in the file no more. Another gateway may have another file. */
  #old(records: ReadonlyMap<string, Json>): RecordUpdate[] {
    const before = Date.now() - KEPT_MS;
    const isServed = (name: string): boolean => this.served.some((config) => config.name === name);
    return [...records].filter(([name, record]) => !isServed(name) && readAtOf(record) < before).map(([id]) => ({ id }));
  }
}

function readAtOf(record: Json): number {
  const snapshot = isJsonObject(record) ? record['snapshot'] : undefined;
  return isJsonObject(snapshot) && typeof snapshot['readAt'] === 'number' ? snapshot['readAt'] : 0;
}

/** Without what variables stand for, which may be secret. */
function identityOf({ name, shown }: ServerConfig): string {
  return createHash('sha256')
    .update(JSON.stringify([name, shown]))
    .digest('hex')
    .slice(0, 16);
}
