/**
 * Keeps log-ins in files that only their user can read, and encrypted where there are keys. A file is replaced as a whole. One process at a
 * time changes a log-in, because a refresh token may be good only once; a process that dies while it does so holds the others up for a minute.
 */
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type KeyRing, openedText, sealedText } from '@longhaul/runtime/keys';
import type { Login } from './browser-login.js';

const FORMAT = 1;
const MAX_CHARACTERS = 256 * 1024;
const STALE_MS = 60_000;
const LOOK_MS = 50;

/** The keys of the deployment. */
export interface LoginKeys {
  readonly ring: KeyRing;
  /** Whether new files are encrypted. */
  readonly writes: boolean;
}

export class LoginFolder {
  /** @param keys is asked when a log-in is read or written. Nothing: they are kept as they are */
  constructor(
    private readonly folder: string,
    private readonly keys: () => Promise<LoginKeys | undefined>,
  ) {}

  /** @returns undefined if there is none. @throws Error for one that cannot be read */
  async read(id: string): Promise<Login | undefined> {
    const path = this.#path(id);
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw new Error(`The log-in in ${path} cannot be read (${error.code ?? error.message}).`, { cause: error });
    });
    if (text === undefined) return undefined;
    const plain = text.startsWith('{') ? text : await this.#opened(id, text);
    if (plain === undefined) throw new Error(`The log-in in ${path} was encrypted with a key that LONGHAUL_KEYS does not have.`);
    const kept = loginIn(plain);
    if (kept === undefined) throw new Error(`The file ${path} has no log-in: delete it, and log in again.`);
    return kept;
  }

  /** @throws the errors of writing a file */
  async write(id: string, login: Login): Promise<void> {
    const keys = await this.keys();
    const plain = JSON.stringify({ ...login, format: FORMAT });
    const text = keys?.writes === true ? sealedText(keys.ring, 'log-ins', plain, id) : plain;
    const written = `${this.#path(id)}.${process.pid}`;
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await rm(written, { force: true });
    await writeFile(written, text, { mode: 0o600, flag: 'wx' });
    await rename(written, this.#path(id));
  }

  /** @returns whether there was one */
  async forget(id: string): Promise<boolean> {
    return rm(this.#path(id)).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return false;
        throw error;
      },
    );
  }

  /** Runs `body` while no other process does so for the same log-in. */
  async alone<T>(id: string, body: () => Promise<T>): Promise<T> {
    const lock = `${this.#path(id)}.lock`;
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    while (!(await taken(lock))) await wait(LOOK_MS);
    try {
      return await body();
    } finally {
      await rm(lock, { force: true });
    }
  }

  async #opened(id: string, text: string): Promise<string | undefined> {
    const keys = await this.keys();
    return keys && openedText(keys.ring, 'log-ins', text, { associated: id, maxCharacters: MAX_CHARACTERS });
  }

  #path(id: string): string {
    return join(this.folder, `${id}.json`);
  }
}

function loginIn(text: string): Login | undefined {
  try {
    const kept = JSON.parse(text) as Login & { readonly format: number };
    return kept.format === FORMAT ? kept : undefined;
  } catch {
    return undefined; // The message of the parser would show a part of it.
  }
}

async function taken(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, `${process.pid}\n`, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const begun = await stat(lock).catch(() => undefined);
    if (begun !== undefined && Date.now() - begun.mtimeMs > STALE_MS) await rm(lock, { force: true });
    return false;
  }
}
