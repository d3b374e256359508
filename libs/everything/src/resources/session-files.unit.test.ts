import { describe, expect, it } from 'vitest';
import { createFeatureRegistry } from '@longhaul/mcp-features';
import { fakeRequest, FakeSession } from '@longhaul/mcp-features/testing';
import { keepSessionFile, SESSION_FILE_LIMITS, sessionFiles, sessionFileUri } from './session-files.js';

const { fileBytes, nameBytes, files, totalBytes } = SESSION_FILE_LIMITS;
const blobOf = (bytes: number) => Buffer.alloc(bytes).toString('base64');
const note = (name: string, text = 'hello') => ({ name, mimeType: 'text/plain', text });

async function read(session: FakeSession, uri: string) {
  const variables = sessionFiles.match(uri);
  return variables && sessionFiles.read(variables, fakeRequest({ session }), uri);
}

describe('a file of a session', () => {
  it('is linked, listed and read', async () => {
    const session = new FakeSession();
    const link = await keepSessionFile(session, { name: 'a.gz', mimeType: 'application/gzip', blob: 'aGVsbG8=' });
    const resource = { uri: 'demo://resource/session/a.gz', name: 'a.gz', mimeType: 'application/gzip' };
    expect(link).toEqual({ type: 'resource_link', ...resource });
    expect(await sessionFiles.list?.(fakeRequest({ session }))).toEqual([{ ...resource, size: 5 }]);
    const contents = [{ uri: resource.uri, mimeType: 'application/gzip', blob: 'aGVsbG8=' }];
    expect(await read(session, link.uri)).toEqual({ contents });
  });

  it('notifies the client that there is another resource', async () => {
    const session = new FakeSession();
    await keepSessionFile(session, note('a.txt'));
    expect(session.changed).toEqual(['resources']);
  });

  it.each(['a b/ü,.gz', '../..', '...', '%2F', '{name}', '$&', '名前'])('may be named %j', async (name) => {
    const session = new FakeSession();
    const { uri } = await keepSessionFile(session, note(name));
    expect(new URL(uri).href).toBe(uri);
    expect(await read(session, uri)).toEqual({ contents: [{ uri, mimeType: 'text/plain', text: 'hello' }] });
    expect(await sessionFiles.list?.(fakeRequest({ session }))).toEqual([{ uri, name, mimeType: 'text/plain', size: 5 }]);
  });

  it('takes the place of one with its name', async () => {
    const session = new FakeSession();
    await keepSessionFile(session, note('a', 'one'));
    const { uri } = await keepSessionFile(session, { name: 'a', mimeType: 'application/gzip', blob: 'AA==' });
    expect(await read(session, uri)).toEqual({ contents: [{ uri, mimeType: 'application/gzip', blob: 'AA==' }] });
    expect(await sessionFiles.list?.(fakeRequest({ session }))).toEqual([{ uri, name: 'a', mimeType: 'application/gzip', size: 1 }]);
  });

  it('is no resource of another session, nor where there are none', async () => {
    const { uri } = await keepSessionFile(new FakeSession(), note('a'));
    expect(await read(new FakeSession(), uri)).toBeUndefined();
    expect(await sessionFiles.read({ name: 'a' }, fakeRequest(), uri)).toBeUndefined();
    expect(await sessionFiles.list?.(fakeRequest())).toEqual([]);
  });

  it('shows its template to nobody', () => {
    const { listings, findResource } = createFeatureRegistry([sessionFiles]);
    expect(listings.resourceTemplates({})).toEqual([]);
    expect(findResource(sessionFileUri('a'))).toMatchObject({ variables: { name: 'a' } });
  });
});

describe('the limits of the files of a session', () => {
  it.each([
    ['', `name must have 1 to ${nameBytes} bytes in UTF-8, not 0`],
    ['ü'.repeat(128), `name must have 1 to ${nameBytes} bytes in UTF-8, not 256`],
    ['..', 'name must not be . or ..'],
    ['\uD800', 'name must be well-formed Unicode'],
  ])('are kept by the name %j', async (name, message) => {
    const session = new FakeSession();
    await expect(keepSessionFile(session, note(name))).rejects.toThrow(message);
    expect(session.values.size).toBe(0);
  });

  it('are kept by each file', async () => {
    const session = new FakeSession();
    const keep = (bytes: number) => keepSessionFile(session, { name: 'a', mimeType: 'application/gzip', blob: blobOf(bytes) });
    await expect(keep(fileBytes + 1)).rejects.toThrow(
      `The file has ${fileBytes + 1} bytes; the most that a session keeps of one is ${fileBytes}.`,
    );
    expect(session.values.size).toBe(0);
    await keep(fileBytes);
    expect(session.values.size).toBe(2);
  });

  it('are kept by their number, to which one in the place of another adds nothing', async () => {
    const session = new FakeSession();
    for (let file = 0; file < files; file++) await keepSessionFile(session, note(`${file}`));
    await expect(keepSessionFile(session, note('more'))).rejects.toThrow(`The session keeps ${files} files already, which is the limit.`);
    await keepSessionFile(session, note('0', 'other'));
  });

  it('are kept by their bytes in all', async () => {
    const session = new FakeSession();
    const keep = (name: string, bytes: number) => keepSessionFile(session, { name, mimeType: 'text/plain', text: 'x'.repeat(bytes) });
    await keep('a', fileBytes);
    await keep('b', totalBytes - fileBytes - 10);
    await expect(keep('c', 11)).rejects.toThrow(`would have ${totalBytes + 1} bytes with this one; the limit is ${totalBytes}.`);
    await keep('c', 10);
    await keep('c', 10);
  });
});
