/**
 * The orders of operators for proxied servers: which are off, which of their tools are off, and when one must restart. It is kept with the
 * records of operators until they say otherwise, and holds in all processes of a deployment.
 */
import { createHash } from 'node:crypto';
import { createOwnerStore, OPERATORS_OWNER, type Store } from '@longhaul/sessions';
import { isJsonObject, type Json, type OwnerCollection, type Unsubscribe } from '@longhaul/tasks';

const COLLECTION = 'server-switches';
/** The channel for hints that something has changed. */
const CHANNEL = 'server-switches';

export const SWITCH_LIMITS = {
  /** Servers with an order. */
  servers: 1_000,
  /** Tools of one server that are off. */
  tools: 1_000,
} as const;

/** Who has said something, and why. */
export interface Said {
  readonly by: string;
  readonly reason: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The orders for a server. */
export interface ServerSwitch {
  readonly server: string;
  /** Absent: it is on. */
  readonly off?: Said;
  /** Its tools that are off, by the names that it gives them. */
  readonly toolsOff: Readonly<Record<string, Said>>;
  /** The last wish to restart it. */
  readonly restart?: Said & { readonly id: string };
}

/** Of a server or of one of its tools. */
export interface Switched {
  readonly server: string;
  readonly tool?: string | undefined;
}

/** Every method rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached. */
export class ServerSwitches {
  readonly #records: OwnerCollection;

  constructor(private readonly store: Pick<Store, 'ownerRecords' | 'featureSignals'>) {
    this.#records = createOwnerStore(store.ownerRecords).of({ id: OPERATORS_OWNER }).collection(COLLECTION);
  }

  all(): Promise<readonly ServerSwitch[]> {
    return this.#records.read((records) => [...records.values()].flatMap(switchIn));
  }

  /** @returns false when too many are off */
  turnOff({ server, tool }: Switched, said: Said): Promise<boolean> {
    return this.#change(server, (now) => {
      if (tool === undefined) return { ...now, off: said };
      const toolsOff = { ...now.toolsOff, [tool]: said };
      return Object.keys(toolsOff).length > SWITCH_LIMITS.tools ? undefined : { ...now, toolsOff };
    });
  }

  async turnOn({ server, tool }: Switched): Promise<void> {
    await this.#change(server, ({ off, toolsOff, ...rest }) => {
      if (tool === undefined) return { ...rest, toolsOff };
      const left = Object.entries(toolsOff).filter(([name]) => name !== tool);
      return { ...rest, ...(off !== undefined && { off }), toolsOff: Object.fromEntries(left) };
    });
  }

  /** Has all processes end their connections to the server, and open new ones. @param id of this wish, another one each time */
  restart(server: string, said: Said, id: string): Promise<boolean> {
    return this.#change(server, (now) => ({ ...now, restart: { ...said, id } }));
  }

  /** Calls the listener after each change; it may miss some. */
  onChange(listener: () => void): Promise<Unsubscribe> {
    return this.store.featureSignals.subscribe(CHANNEL, listener);
  }

  /** @returns false when nothing was changed, because there are too many */
  async #change(server: string, change: (now: ServerSwitch) => ServerSwitch | undefined): Promise<boolean> {
    const id = createHash('sha256').update(server).digest('base64url');
    const isChanged = await this.#records.update((records) => {
      const known = records.get(id);
      const [now = { server, toolsOff: {} }] = known === undefined ? [] : switchIn(known);
      const next = known === undefined && records.size >= SWITCH_LIMITS.servers ? undefined : change(now);
      if (next === undefined) return { changes: [], result: false };
      const saysNothing = next.off === undefined && next.restart === undefined && Object.keys(next.toolsOff).length === 0;
      return { changes: [saysNothing ? { id } : { id, value: JSON.parse(JSON.stringify(next)) as Json }], result: true };
    });
    if (isChanged) await this.store.featureSignals.publish(CHANNEL, '');
    return isChanged;
  }
}

function switchIn(record: Json): readonly ServerSwitch[] {
  return isJsonObject(record) && isJsonObject(record['toolsOff'] ?? null) ? [record as unknown as ServerSwitch] : [];
}
