/** Shows the object that a revision names: a commit with its patch, a file, or the names in a folder. */
import { type Commit, parseCommit } from './commit-object.js';
import { GitFailure, refuseOption } from './git-failure.js';
import { CUT_NOTE, decoded, MAX_OUTPUT_BYTES } from './git-output.js';
import { findObject, readObjects, requireObject } from './objects.js';
import { patchOf } from './patch.js';
import { asItIs } from './quoted-names.js';
import type { Repository } from './repository.js';

/** @param revision of a commit, a tag, a tree or a file (`HEAD:path`) */
export async function show(repository: Repository, revision: string): Promise<string> {
  refuseOption('Invalid revision', revision);
  const { id, type } = await requireObject(repository, revision);
  if (type === 'blob') return showFile(repository, id);
  if (type === 'tree') return showFolder(repository, id);
  const commit = await findObject(repository, `${id}^{commit}`);
  if (commit === undefined) throw new GitFailure(`'${revision}' is a tag of something that is no commit`);
  return showCommit(repository, commit.id);
}

async function showFile(repository: Repository, id: string): Promise<string> {
  const [file] = await readObjects(repository, [id]);
  const content = file?.content ?? Buffer.alloc(0);
  const isCut = file?.isCut === true || content.byteLength > MAX_OUTPUT_BYTES;
  return decoded(content.subarray(0, MAX_OUTPUT_BYTES), isCut) + (isCut ? CUT_NOTE : '');
}

async function showFolder(repository: Repository, id: string): Promise<string> {
  const { stdout, isCut } = await repository.run(['ls-tree', id]);
  const entries = decoded(stdout, isCut).split('\n').slice(0, -1);
  const names = entries.map((entry) => {
    const [, type, listed = ''] = /^\d+ (\w+) [0-9a-f]+\t(.*)$/.exec(entry) ?? [];
    const name = asItIs(listed);
    return type === 'tree' ? `${name}/` : name;
  });
  return names.join('\n') + (isCut ? CUT_NOTE : '');
}

async function showCommit(repository: Repository, id: string): Promise<string> {
  const [object] = await readObjects(repository, [id]);
  const commit = parseCommit(object?.content ?? Buffer.alloc(0));
  return headerOf(id, commit) + (await patchOf(repository, { id, parent: commit.parents[0] }));
}

/** As `git show --date=iso` writes it. */
function headerOf(id: string, { author, date, message }: Commit): string {
  const [sign, hours, minutes] = date.offset;
  const indented = message.replace(/\n+$/, '').split('\n');
  return [
    `commit ${id}`,
    `Author: ${author.name} <${author.email}>`,
    `Date:   ${date.local} ${sign}${hours}${minutes}`,
    '',
    ...indented.map((line) => `    ${line}`),
    '',
  ].join('\n');
}
