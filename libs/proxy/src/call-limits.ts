/**
 * Bounds how many calls a server, and a tool, has at once within requests of this gateway, so that one slow server does not take what the
 * calls of others need. Tasks have the same limits over all workers: see `sharedLimit`.
 */
import { Semaphore } from '@longhaul/runtime/semaphore';
import type { ServerConfig, ToolSettings } from '@longhaul/servers';

/** Of a server for which the file says nothing. */
export const DEFAULT_MAX_RUNNING = 32;
/** Calls that wait for one server, or for one tool. */
const MAX_WAITING = 1_000;

/** As many calls run as may, and this one does not wait. It was not made. */
export class ServerBusy extends Error {
  override readonly name = 'ServerBusy';
}

/** A call, and what the file says of it. */
export interface LimitedCall {
  readonly config: ServerConfig;
  readonly tool?: string | undefined;
  readonly settings?: Pick<ToolSettings, 'maxRunning' | 'whenBusy'> | undefined;
}

interface Place {
  readonly semaphore: Semaphore;
  present: number;
}

export class CallLimits {
  /** Those with calls inside. */
  readonly #places = new Map<string, Place>();

  /** Runs it when it may. @throws ServerBusy; the reason of the signal, which ends the wait */
  async during<T>({ config, tool, settings = {} }: LimitedCall, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
    const { maxRunning = DEFAULT_MAX_RUNNING } = config;
    const whenBusy = settings.whenBusy ?? config.whenBusy ?? 'wait';
    const ofServer = { name: `The server "${config.name}"`, key: config.name, most: maxRunning };
    const ofTool = {
      name: `The tool ${tool} of the server "${config.name}"`,
      key: JSON.stringify([config.name, tool]),
      most: settings.maxRunning,
    };
    const leaves: (() => void)[] = [];
    try {
      // Those that wait for a tool take nothing from the other tools of its server.
      for (const { name, key, most } of [ofTool, ofServer])
        if (most !== undefined) leaves.push(await this.#enter(name, key, most, { whenBusy, signal }));
      return await run();
    } finally {
      for (const leave of leaves) leave();
    }
  }

  async #enter(
    name: string,
    key: string,
    most: number,
    { whenBusy, signal }: { readonly whenBusy: string; readonly signal: AbortSignal },
  ): Promise<() => void> {
    const place = this.#places.get(key) ?? { semaphore: new Semaphore(most), present: 0 };
    const { semaphore } = place;
    if (semaphore.isFull && (whenBusy === 'refuse' || semaphore.waiting >= MAX_WAITING))
      throw new ServerBusy(`${name} has ${most} calls running, which is the limit (maxRunning). The call was not made; try again later.`);
    this.#places.set(key, place);
    place.present += 1;
    const gone = (): void => {
      place.present -= 1;
      if (place.present === 0) this.#places.delete(key);
    };
    try {
      const leave = await semaphore.enter(signal);
      return () => {
        leave();
        gone();
      };
    } catch (error) {
      gone();
      throw error;
    }
  }
}
