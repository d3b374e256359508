/**
 * Keeps files of a client's session. Each file is a resource of that session only, and removed with it.
 *
 * A file is two values of the session: a small entry and the content. Files are listed and counted by their entries. The content is written
 * first, so that a listed file can be read. The limits are not exact when calls of one session keep files at the same moment: each may take
 * the last slot.
 */
import { defineResourceTemplate, type SessionContext } from '@longhaul/mcp-features';
import type { Json } from '@longhaul/tasks';
import type { BlobResourceContents, Resource, ResourceLink, TextResourceContents } from '@modelcontextprotocol/sdk/types.js';

const MIB = 1024 * 1024;

/** Most bytes of one file, of its name in UTF-8, and of all files of a session; and how many files those may be. */
export const SESSION_FILE_LIMITS = { fileBytes: 8 * MIB, nameBytes: 255, files: 32, totalBytes: 16 * MIB };

const ENTRY = 'longhaul/file/';
const CONTENT = 'longhaul/file-content/';
const URI_TEMPLATE = 'demo://resource/session/{name}';

/** The parts of a session that keep files: its values, and the notification of new ones. */
export type FileKeeper = Pick<SessionContext, 'get' | 'set' | 'names' | 'listChanged'>;

/** A file to be kept; `blob` is base64. */
export type SessionFile = { readonly name: string; readonly mimeType: string } & ({ readonly text: string } | { readonly blob: string });

type Contents = TextResourceContents | BlobResourceContents;

interface Entry {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: number;
}

/** The URI of a session's file. @throws RangeError when it cannot have that name */
export function sessionFileUri(name: string): string {
  const issue = sessionFileNameIssue(name);
  if (issue !== undefined) throw new RangeError(`name ${issue}`);
  return URI_TEMPLATE.replace('{name}', encodeURIComponent(name));
}

/** The mistake in the name of a file, to be read after the name of its field; `undefined` when there is none. */
export function sessionFileNameIssue(name: string): string | undefined {
  if (!name.isWellFormed()) return 'must be well-formed Unicode';
  // A URI with one of these as a segment means the folder, or the one above.
  if (name === '.' || name === '..') return 'must not be . or ..';
  const bytes = Buffer.byteLength(name);
  const { nameBytes } = SESSION_FILE_LIMITS;
  return bytes > 0 && bytes <= nameBytes ? undefined : `must have 1 to ${nameBytes} bytes in UTF-8, not ${bytes}`;
}

/** The content of a file, as it is read. @throws RangeError when it cannot have its name */
export function sessionFileContents({ name, ...content }: SessionFile): Contents {
  return { uri: sessionFileUri(name), ...content };
}

/**
 * Keeps a file in the session, replacing a file of the same name, and notifies the client of the new resource.
 *
 * @throws RangeError that names the limit: of the name, the file, all files or their number
 */
export async function keepSessionFile(session: FileKeeper, file: SessionFile): Promise<ResourceLink> {
  const { name, mimeType } = file;
  const contents = sessionFileContents(file);
  const bytes = 'blob' in contents ? Buffer.byteLength(contents.blob, 'base64') : Buffer.byteLength(contents.text);
  await requireRoom(session, { name, mimeType, bytes });
  await session.set(CONTENT + name, contents as Json);
  await session.set(ENTRY + name, { name, mimeType, bytes });
  session.listChanged('resources');
  return { type: 'resource_link', uri: contents.uri, name, mimeType };
}

async function requireRoom(session: FileKeeper, { name, bytes }: Entry): Promise<void> {
  const { fileBytes, files, totalBytes } = SESSION_FILE_LIMITS;
  if (bytes > fileBytes) throw new RangeError(`The file has ${bytes} bytes; the most that a session keeps of one is ${fileBytes}.`);
  const others = (await entriesOf(session)).filter((entry) => entry.name !== name);
  if (others.length >= files) throw new RangeError(`The session keeps ${others.length} files already, which is the limit.`);
  const kept = others.reduce((sum, entry) => sum + entry.bytes, 0);
  if (kept + bytes > totalBytes)
    throw new RangeError(`The session's files would have ${kept + bytes} bytes with this one; the limit is ${totalBytes}.`);
}

async function entriesOf(session: Pick<FileKeeper, 'get' | 'names'>): Promise<readonly Entry[]> {
  const names = await session.names(ENTRY);
  const entries = await Promise.all(names.map((name) => session.get(name)));
  // One that is gone by now belonged to a session that has ended.
  return entries.filter((entry) => entry !== undefined) as unknown as readonly Entry[];
}

/** The files of the client's session. */
export const sessionFiles = defineResourceTemplate({
  uriTemplate: URI_TEMPLATE,
  name: 'Session File',
  description: 'A file that a tool has kept in the session',
  isListed: false,
  needsSession: true,
  async list({ session }): Promise<readonly Resource[]> {
    if (session === undefined) return [];
    const entries = await entriesOf(session);
    return entries.map(({ name, mimeType, bytes }) => ({ uri: sessionFileUri(name), name, mimeType, size: bytes }));
  },
  async read({ name }, { session }) {
    const contents = await session?.get(CONTENT + name);
    return contents === undefined ? undefined : { contents: [contents as unknown as Contents] };
  },
});
