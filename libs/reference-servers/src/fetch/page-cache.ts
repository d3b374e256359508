import type { ReadablePage } from './readable-page.js';

/** How much is kept for how long. */
export interface PageCacheLimits {
  readonly keepMs: number;
  /** Of all pages. */
  readonly maxBytes: number;
}

/** Pages as their readers get them, so that the next part of one is not fetched again: the newest ones, for a while. */
export class PageCache {
  readonly #pages = new Map<string, { readonly page: ReadablePage; readonly bytes: number; readonly timer: NodeJS.Timeout }>();
  #bytes = 0;

  constructor(private readonly limits: PageCacheLimits) {}

  get(key: string): ReadablePage | undefined {
    return this.#pages.get(key)?.page;
  }

  set(key: string, page: ReadablePage): void {
    this.#drop(key);
    const bytes = 2 * (key.length + page.text.length);
    if (bytes > this.limits.maxBytes) return;
    for (const oldest of this.#pages.keys()) {
      if (this.#bytes + bytes <= this.limits.maxBytes) break;
      this.#drop(oldest);
    }
    const timer = setTimeout(() => this.#drop(key), this.limits.keepMs).unref();
    this.#pages.set(key, { page, bytes, timer });
    this.#bytes += bytes;
  }

  #drop(key: string): void {
    const kept = this.#pages.get(key);
    if (kept === undefined) return;
    clearTimeout(kept.timer);
    this.#pages.delete(key);
    this.#bytes -= kept.bytes;
  }
}
