/** Reads commits, trees and files by name with `git cat-file`. It takes names from its input, where no name can be read as an option. */
import { GitFailure } from './git-failure.js';
import { MAX_OUTPUT_BYTES } from './git-output.js';
import { isQuoted, unquoted } from './quoted-names.js';
import type { Repository } from './repository.js';

/** An object of a repository. */
export interface GitObject {
  readonly id: string;
  readonly type: string;
}

/** An object with what is in it. */
export interface ReadObject extends GitObject {
  readonly content: Buffer;
  /** Whether there was more. */
  readonly isCut: boolean;
}

/** @returns the object that a revision names; nothing when there is none, or several */
export async function findObject(repository: Repository, revision: string): Promise<GitObject | undefined> {
  if (revision.includes('\0')) return undefined;
  // The name may have line breaks, so a null byte ends it.
  const { stdout } = await repository.run(['cat-file', '--batch-check', '-z'], { input: `${revision}\0` });
  const [, id, type] = /^([0-9a-f]{40,64}) (\w+) \d+\n$/.exec(stdout.toString('utf8')) ?? [];
  return id === undefined || type === undefined ? undefined : { id, type };
}

/** @throws GitFailure in the words of GitPython when a revision names no object */
export async function requireObject(repository: Repository, revision: string): Promise<GitObject> {
  const found = await findObject(repository, revision);
  if (found !== undefined) return found;
  const [, base = '', path = ''] = /^([^:]+):(.*)$/s.exec(revision) ?? [];
  const named = isQuoted(path) ? await findObject(repository, `${base}:${unquoted(path)}`) : undefined;
  if (named !== undefined) return named;
  if (base !== '' && (await findObject(repository, base)) !== undefined) throw await missingPath(repository, base, path);
  throw new GitFailure(`Ref '${base === '' ? revision : base}' did not resolve to an object`);
}

async function missingPath(repository: Repository, base: string, path: string): Promise<GitFailure> {
  const [first = '', ...below] = path.split('/');
  const missing = async (at: string, parts: readonly string[]): Promise<string> => {
    const found = await findObject(repository, `${base}:${at}`);
    const [next, ...others] = parts;
    if (found === undefined) return at.split('/').at(-1) ?? at;
    return found.type !== 'tree' || next === undefined ? path : missing(`${at}/${next}`, others);
  };
  return new GitFailure(`"Blob or Tree named '${await missing(first, below)}' not found"`);
}

/** Reads objects, until together they have more than a tool shows. The last one may then be cut. @param ids of objects that exist */
export async function readObjects(repository: Repository, ids: readonly string[]): Promise<readonly ReadObject[]> {
  if (ids.length === 0) return [];
  const maxBytes = MAX_OUTPUT_BYTES + 256 * ids.length;
  const { stdout } = await repository.run(['cat-file', '--batch'], { input: `${ids.join('\n')}\n`, maxBytes });
  const objects: ReadObject[] = [];
  for (let at = 0; at < stdout.byteLength;) {
    const end = stdout.indexOf('\n', at);
    if (end === -1) break;
    const header = stdout.toString('utf8', at, end);
    const [, id, type, size = ''] = /^([0-9a-f]+) (\w+) (\d+)$/.exec(header) ?? [];
    if (id === undefined || type === undefined) throw new GitFailure(`The object cannot be read: ${header}`);
    const stop = end + 1 + Number(size);
    objects.push({ id, type, content: stdout.subarray(end + 1, stop), isCut: stop > stdout.byteLength });
    at = stop + 1;
  }
  return objects;
}
