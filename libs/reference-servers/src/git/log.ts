import { type CommitDate, parseCommit } from './commit-object.js';
import { GitFailure, refuseOption } from './git-failure.js';
import { CUT_NOTE, MAX_OUTPUT_BYTES } from './git-output.js';
import { findObject, readObjects } from './objects.js';
import type { Repository } from './repository.js';

/** Which commits are shown: so many of the newest, and only commits between the dates. */
export interface LogRange {
  readonly max_count: number;
  readonly start_timestamp: string | null;
  readonly end_timestamp: string | null;
}

/** The history of HEAD, newest first. */
export async function showLog(repository: Repository, range: LogRange): Promise<string> {
  const { max_count: count, start_timestamp: since, end_timestamp: until } = range;
  refuseOption('Invalid start_timestamp', since);
  refuseOption('Invalid end_timestamp', until);
  const head = await findObject(repository, 'HEAD');
  if (head === undefined) throw new GitFailure(`Reference at '${await headName(repository)}' does not exist`);
  const dates = [...(since ? [`--since=${since}`] : []), ...(until ? [`--until=${until}`] : [])];
  const { stdout, isCut } = await repository.run(['rev-list', `--max-count=${count}`, ...dates, head.id, '--']);
  const ids = stdout.toString('utf8').split('\n').slice(0, -1);
  const commits = await readObjects(repository, ids);
  let bytes = 0;
  const entries: string[] = [];
  for (const { id, content, isCut } of commits) {
    bytes += content.byteLength;
    if (isCut || bytes > MAX_OUTPUT_BYTES) break;
    const { author, date, message } = parseCommit(content);
    entries.push(`Commit: ${id}\nAuthor: ${author.name}\nDate: ${dated(date)}\nMessage: ${message}\n`);
  }
  return entries.join('\n') + (isCut || entries.length < ids.length ? CUT_NOTE : '');
}

async function headName(repository: Repository): Promise<string> {
  return repository.text(['symbolic-ref', '--quiet', 'HEAD']).catch(() => 'HEAD');
}

/** `2026-01-31 12:00:00+00:00` */
function dated({ local, offset: [sign, hours, minutes] }: CommitDate): string {
  return `${local}${sign}${hours}:${minutes}`;
}
