/** Keeps the behaviour of the models' endpoints in the user's data folder, so that each command does not have to test it again. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isJsonObject, type Json } from '@longhaul/tasks/json';
import type { Decision, OwnerCollection, Records } from '@longhaul/tasks';
import { withDataOfUser } from '../user-data-folder.js';

const FILE = 'agent-endpoints.json';

/** A file as a collection. If two processes change it at the same time, one of them is lost. */
class FileCollection implements OwnerCollection {
  constructor(private readonly path: string) {}

  async read<T>(look: (records: Records) => T): Promise<T> {
    return look(await this.#records());
  }

  async update<T>(decide: (records: Records) => Decision<T>): Promise<T> {
    const records = new Map(await this.#records());
    const { changes, result } = decide(records);
    for (const { id, value } of changes) {
      if (value === undefined) records.delete(id);
      else records.set(id, value);
    }
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    // A process that reads it in the meantime sees the whole of it.
    const written = `${this.path}.${process.pid}`;
    await writeFile(written, `${JSON.stringify(Object.fromEntries(records))}\n`, { mode: 0o600 });
    await rename(written, this.path);
    return result;
  }

  /** A file that is not there, or is damaged, has none. */
  async #records(): Promise<Records> {
    try {
      const content = JSON.parse(await readFile(this.path, 'utf8')) as Json;
      return new Map(isJsonObject(content) ? Object.entries(content as Record<string, Json>) : []);
    } catch {
      return new Map();
    }
  }
}

/** The file in the data folder of the user, or of the working folder if that has one. */
export function keptEndpoints(env: NodeJS.ProcessEnv, cwd: string): OwnerCollection {
  return new FileCollection(resolve(cwd, withDataOfUser(env, cwd)['LONGHAUL_DATA_DIR'] || '.longhaul', FILE));
}
