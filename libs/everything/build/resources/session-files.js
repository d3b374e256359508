/**
 * Files that a client's session keeps: each is a resource of that session only, and gone with it.
 *
 * A file is two values of the session: a small entry, from which files are listed and counted without
 * reading them, and the content. The content is written first, so that what is listed can be read. The
 * limits are not exact when calls of one session keep files at the same moment: each may take the last place.
 */
import { defineResourceTemplate } from '@longhaul/mcp-features';
const MIB = 1024 * 1024;
/** Most bytes of one file, of its name in UTF-8, and of all files of a session; and how many files those may be. */
export const SESSION_FILE_LIMITS = { fileBytes: 8 * MIB, nameBytes: 255, files: 32, totalBytes: 16 * MIB };
const ENTRY = 'longhaul/file/';
const CONTENT = 'longhaul/file-content/';
const URI_TEMPLATE = 'demo://resource/session/{name}';
/** The URI of a session's file. @throws RangeError when it cannot have that name */
export function sessionFileUri(name) {
    const issue = sessionFileNameIssue(name);
    if (issue !== undefined)
        throw new RangeError(`name ${issue}`);
    return URI_TEMPLATE.replace('{name}', encodeURIComponent(name));
}
/** What is wrong with the name of a file, to be read after the name of its field; `undefined` when nothing is. */
export function sessionFileNameIssue(name) {
    if (!name.isWellFormed())
        return 'must be well-formed Unicode';
    // A URI with one of these as a segment means the folder, or the one above.
    if (name === '.' || name === '..')
        return 'must not be . or ..';
    const bytes = Buffer.byteLength(name);
    const { nameBytes } = SESSION_FILE_LIMITS;
    return bytes > 0 && bytes <= nameBytes ? undefined : `must have 1 to ${nameBytes} bytes in UTF-8, not ${bytes}`;
}
/** The content of a file, as it is read. @throws RangeError when it cannot have its name */
export function sessionFileContents({ name, ...content }) {
    return { uri: sessionFileUri(name), ...content };
}
/**
 * Keeps a file in the session, in the place of one of the same name, and notifies the client that there is another
 * resource.
 *
 * @throws RangeError that names the limit: of the name, the file, all files or their number
 */
export async function keepSessionFile(session, file) {
    const { name, mimeType } = file;
    const contents = sessionFileContents(file);
    const bytes = 'blob' in contents ? Buffer.byteLength(contents.blob, 'base64') : Buffer.byteLength(contents.text);
    await requireRoom(session, { name, mimeType, bytes });
    await session.set(CONTENT + name, contents);
    await session.set(ENTRY + name, { name, mimeType, bytes });
    session.listChanged('resources');
    return { type: 'resource_link', uri: contents.uri, name, mimeType };
}
async function requireRoom(session, { name, bytes }) {
    const { fileBytes, files, totalBytes } = SESSION_FILE_LIMITS;
    if (bytes > fileBytes)
        throw new RangeError(`The file has ${bytes} bytes; the most that a session keeps of one is ${fileBytes}.`);
    const others = (await entriesOf(session)).filter((entry) => entry.name !== name);
    if (others.length >= files)
        throw new RangeError(`The session keeps ${others.length} files already, which is the limit.`);
    const kept = others.reduce((sum, entry) => sum + entry.bytes, 0);
    if (kept + bytes > totalBytes)
        throw new RangeError(`The session's files would have ${kept + bytes} bytes with this one; the limit is ${totalBytes}.`);
}
async function entriesOf(session) {
    const names = await session.names(ENTRY);
    const entries = await Promise.all(names.map((name) => session.get(name)));
    // One that is gone by now belonged to a session that has ended.
    return entries.filter((entry) => entry !== undefined);
}
/** The files of the client's session. */
export const sessionFiles = defineResourceTemplate({
    uriTemplate: URI_TEMPLATE,
    name: 'Session File',
    description: 'A file that a tool has kept in the session',
    isListed: false,
    needsSession: true,
    async list({ session }) {
        if (session === undefined)
            return [];
        const entries = await entriesOf(session);
        return entries.map(({ name, mimeType, bytes }) => ({ uri: sessionFileUri(name), name, mimeType, size: bytes }));
    },
    async read({ name }, { session }) {
        const contents = await session?.get(CONTENT + name);
        return contents === undefined ? undefined : { contents: [contents] };
    },
});
//# sourceMappingURL=session-files.js.map