import type { PoolNews, ServerAbout } from '@longhaul/servers';

/** What is known of a server by the connections of a pool. Times are epoch milliseconds. */
interface Known {
  about?: ServerAbout;
  lastError?: string;
  /** 0 without an error. */
  lastErrorAt: number;
  losses: number;
  /** Whether the last connection could not be opened. */
  isAway: boolean;
  since: number;
}

const STARTED_AT = Date.now();

export class PoolHealth {
  readonly #servers = new Map<string, Known>();

  of(server: string): Readonly<Known> {
    return this.#servers.get(server) ?? { lastErrorAt: 0, losses: 0, isAway: false, since: STARTED_AT };
  }

  take(server: string, news: PoolNews): void {
    const known: Known = { ...this.of(server) };
    const isAway = 'failed' in news;
    if (isAway !== known.isAway || known.about === undefined) known.since = Date.now();
    known.isAway = isAway;
    if ('about' in news) known.about = news.about;
    else {
      known.lastError = 'failed' in news ? news.failed : news.lost;
      known.lastErrorAt = Date.now();
      if ('lost' in news) known.losses += 1;
    }
    this.#servers.set(server, known);
  }
}
