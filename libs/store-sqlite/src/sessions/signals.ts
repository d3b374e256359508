import type { Signals } from '@longhaul/sessions';
import type { SqliteChannels } from '@longhaul/sqlite';
import type { Unsubscribe } from '@longhaul/tasks';

/** `Signals` over the channels between the processes that have the data file open. */
export class SqliteSignals implements Signals {
  constructor(private readonly channels: SqliteChannels) {}

  async publish(channel: string, message: string): Promise<void> {
    this.channels.publish(nameOf(channel), message);
  }

  async subscribe(channel: string, listener: (message: string | undefined) => void): Promise<Unsubscribe> {
    return this.channels.add(nameOf(channel), listener);
  }
}

/** Tasks have channels of their own on the same file. */
function nameOf(channel: string): string {
  return `signal ${channel}`;
}
