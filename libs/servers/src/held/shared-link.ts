import type { ServerLink } from '../transports/server-link.js';
import { MessageHub } from './message-hub.js';

/** A link that several clients can use, if it has only one connection. */
export class SharedLink implements ServerLink {
  #hub: MessageHub | undefined;

  constructor(private readonly link: ServerLink) {}

  /** Where further clients connect; nothing as long as there is no connection, and for a URL without a stream. */
  get hub(): MessageHub | undefined {
    return this.#hub;
  }

  get target(): ServerLink['target'] {
    const { target } = this.link;
    if (typeof target !== 'function') return target;
    return () => {
      this.#hub = new MessageHub(target());
      return this.#hub.port();
    };
  }

  get transport(): ServerLink['transport'] {
    return this.link.transport;
  }

  get stderr(): string {
    return this.link.stderr;
  }

  get endedByItself(): string | undefined {
    return this.link.endedByItself;
  }

  get exited(): Promise<string> | undefined {
    return this.link.exited;
  }

  speakOlder(): boolean {
    return this.link.speakOlder();
  }

  end(how?: string): Promise<void> {
    return this.link.end(how);
  }
}
