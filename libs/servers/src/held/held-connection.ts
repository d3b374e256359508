import type { ConnectedServer } from '../connection/connected-server.js';
import type { SharedLink } from './shared-link.js';

/** Says once that what a server kept of a session is lost. */
export class Loss {
  constructor(private isUnsaid = false) {}

  note(): void {
    this.isUnsaid = true;
  }

  /** Whether there was a loss that no result has mentioned yet. */
  take(): boolean {
    const { isUnsaid } = this;
    this.isUnsaid = false;
    return isUnsaid;
  }
}

export interface HeldConnectionOptions {
  readonly server: ConnectedServer;
  readonly loss?: Loss;
  /** The link that other processes use as well. */
  readonly link?: SharedLink;
  /** Ends it. */
  readonly end: () => Promise<void>;
}

/** A connection to a server, for one or more who use it. */
export class HeldConnection {
  readonly server: ConnectedServer;
  readonly loss: Loss;
  #closed: Promise<void> | undefined;

  constructor(private readonly options: HeldConnectionOptions) {
    this.server = options.server;
    this.loss = options.loss ?? new Loss();
  }

  /** Whether other processes use it. */
  get isUsedElsewhere(): boolean {
    return (this.options.link?.hub?.ports ?? 0) > 1;
  }

  /** Whether other processes wait for answers on it. */
  get isBusyElsewhere(): boolean {
    return this.options.link?.hub?.isBusyForOthers === true;
  }

  /** Never rejects. */
  close(): Promise<void> {
    this.#closed ??= this.options.end();
    return this.#closed;
  }
}
