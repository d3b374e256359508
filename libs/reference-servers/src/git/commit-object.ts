/** Reads a commit from git's object directly, so no format or configuration changes it. */

/** A commit. */
export interface Commit {
  readonly parents: readonly string[];
  readonly author: { readonly name: string; readonly email: string };
  readonly date: CommitDate;
  readonly message: string;
}

/** A moment, with the offset of the author's clock. */
export interface CommitDate {
  /** `2026-01-31 12:00:00` there. */
  readonly local: string;
  /** `+` or `-`, hours, minutes. */
  readonly offset: readonly [sign: string, hours: string, minutes: string];
}

/** @param content of an object of the type commit */
export function parseCommit(content: Buffer): Commit {
  const end = content.indexOf('\n\n');
  const headers = content.subarray(0, end === -1 ? content.byteLength : end);
  const encoding = /^encoding (.+)$/m.exec(headers.toString('latin1'))?.[1] ?? 'utf-8';
  const lines = textOf(headers, encoding).split('\n');
  const parents = lines.flatMap((line) => /^parent ([0-9a-f]+)$/.exec(line)?.[1] ?? []);
  const author = lines.find((line) => line.startsWith('author ')) ?? '';
  const [, name = '', email = '', seconds = '0', sign = '+', hours = '00', minutes = '00'] =
    /^author (.*?) ?<([^>]*)>(?: (-?\d+) ([+-])(\d\d)(\d\d))?/.exec(author) ?? [];
  const message = end === -1 ? '' : textOf(content.subarray(end + 2), encoding);
  return { parents, author: { name, email }, date: dateOf(Number(seconds), [sign, hours, minutes]), message };
}

function dateOf(seconds: number, offset: CommitDate['offset']): CommitDate {
  const [sign, hours, minutes] = offset;
  const ahead = (Number(hours) * 60 + Number(minutes)) * 60 * (sign === '-' ? -1 : 1);
  const date = new Date((seconds + ahead) * 1000);
  const local = Number.isNaN(date.getTime()) ? '1970-01-01 00:00:00' : date.toISOString().slice(0, 19).replace('T', ' ');
  return { local, offset };
}

/** In an encoding that the commit names, or in UTF-8 where that is none that is known. */
function textOf(bytes: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes.toString('utf8');
  }
}
