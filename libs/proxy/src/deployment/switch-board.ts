/**
 * The orders of operators for servers, as this process knows them. It is read after each hint, and every few seconds in case a hint was missed, so no
 * call waits for the store. While the store is away, what was known last holds.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { SwitchedOffError } from '@longhaul/servers';
import type { Unsubscribe } from '@longhaul/tasks';
import type { ServerSwitch, ServerSwitches } from './server-switches.js';

const LOOK_MS = 3_000;

export interface SwitchBoardOptions {
  readonly switches: Pick<ServerSwitches, 'all' | 'onChange'>;
  /** Called when servers or tools are turned off or on. */
  readonly onSwitched: () => void;
  /** Called for each server that must restart. */
  readonly onRestart: (server: string) => void;
  readonly onError: (error: unknown) => void;
}

export class SwitchBoard {
  readonly #stopped = new AbortController();
  #known: ReadonlyMap<string, ServerSwitch> = new Map();
  #text = '';
  #unsubscribe: Unsubscribe | undefined;
  #reading: Promise<void> | undefined;

  constructor(private readonly options: SwitchBoardOptions) {}

  /** Resolves when it is known what is off. @throws TaskError `STORE_UNAVAILABLE` */
  async start(): Promise<void> {
    this.#unsubscribe = await this.options.switches.onChange(() => void this.#look());
    await this.#read(true);
    void this.#keepLooking();
  }

  stop(): void {
    this.#stopped.abort();
    this.#unsubscribe?.();
  }

  /** Whether the server is off; with a tool, whether that or all of the server is. */
  isOff(server: string, tool?: string): boolean {
    const known = this.#known.get(server);
    if (known?.off !== undefined) return true;
    return tool !== undefined && known !== undefined && Object.hasOwn(known.toolsOff, tool);
  }

  /** @throws SwitchedOffError */
  requireOn(server: string, tool?: string): void {
    if (this.isOff(server)) throw new SwitchedOffError(server);
    if (tool !== undefined && this.isOff(server, tool)) throw new SwitchedOffError(server, tool);
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    // A read that is under way may have begun before the change.
    await this.#reading;
    this.#reading ??= this.#read(false)
      .catch(this.options.onError)
      .finally(() => {
        this.#reading = undefined;
      });
    await this.#reading;
  }

  /** @param isFirst restarts of the time before are none of this process */
  async #read(isFirst: boolean): Promise<void> {
    const all = await this.options.switches.all();
    if (this.#stopped.signal.aborted) return;
    const before = this.#known;
    this.#known = new Map(all.map((each) => [each.server, each]));
    const text = JSON.stringify(all.map(({ server, off, toolsOff }) => [server, off !== undefined, Object.keys(toolsOff)]));
    const isChanged = text !== this.#text;
    this.#text = text;
    if (isChanged) this.options.onSwitched();
    if (isFirst) return;
    for (const { server, restart } of all)
      if (restart !== undefined && restart.id !== before.get(server)?.restart?.id) this.options.onRestart(server);
  }

  async #keepLooking(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await wait(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
      await this.#look();
    }
  }
}
