/** A person with a browser, who logs in to servers. */
import { join } from 'node:path';
import { type LoginKeys, LoginFolder, Logins } from '@longhaul/servers';
import { followToCallback } from '../../access/support/authorization-server.js';

/** What becomes of the page that the person visits. @returns the address that the browser is sent back to */
export type Browse = (page: URL) => Promise<URL> | URL;

export class Person {
  /** The pages that were to be visited. */
  readonly pages: URL[] = [];
  /** What was answered to the browser, oldest first. */
  readonly answers: number[] = [];
  browse: Browse = followToCallback;
  readonly #leaving = new AbortController();
  #visits: Promise<void>[] = [];

  constructor(private readonly folder: string) {}

  /** As one process knows them. */
  logins(keys?: LoginKeys): Logins {
    return new Logins({
      folder: new LoginFolder(join(this.folder, 'logins'), () => Promise.resolve(keys)),
      visit: (_server, address) => {
        this.pages.push(new URL(address));
        this.#visits.push(this.#visit(new URL(address)));
      },
      signal: this.#leaving.signal,
    });
  }

  /** The same for a process that nobody is at. */
  absent(): Logins {
    return new Logins({
      folder: new LoginFolder(join(this.folder, 'logins'), () => Promise.resolve(undefined)),
      signal: this.#leaving.signal,
    });
  }

  leave(): void {
    this.#leaving.abort(new Error('The user has left.'));
  }

  /** Waits until the browser has done all. @throws what went wrong there */
  async done(): Promise<void> {
    await Promise.all(this.#visits.splice(0));
  }

  async #visit(page: URL): Promise<void> {
    this.answers.push((await fetch(await this.browse(page))).status);
  }
}
