/** Commits, trees and files by their names, by `git cat-file`: it reads names from its input, where none can be an option. */
import { GitFailure } from './git-failure.js';
import { MAX_OUTPUT_BYTES } from './git-output.js';
/** @returns the object that a revision names; nothing when there is none, or several */
export async function findObject(repository, revision) {
    if (/[\n\0]/.test(revision))
        return undefined;
    const { stdout } = await repository.run(['cat-file', '--batch-check'], { input: `${revision}\n` });
    const [, id, type] = /^([0-9a-f]{40,64}) (\w+) \d+\n$/.exec(stdout.toString('utf8')) ?? [];
    return id === undefined || type === undefined ? undefined : { id, type };
}
/** @throws GitFailure in the words of GitPython when a revision names no object */
export async function requireObject(repository, revision) {
    const found = await findObject(repository, revision);
    if (found !== undefined)
        return found;
    const [, base = '', path = ''] = /^([^:]+):(.*)$/s.exec(revision) ?? [];
    if (base !== '' && (await findObject(repository, base)) !== undefined)
        throw await missingPath(repository, base, path);
    throw new GitFailure(`Ref '${base === '' ? revision : base}' did not resolve to an object`);
}
async function missingPath(repository, base, path) {
    const [first = '', ...below] = path.split('/');
    const missing = async (at, parts) => {
        const found = await findObject(repository, `${base}:${at}`);
        const [next, ...others] = parts;
        if (found === undefined)
            return at.split('/').at(-1) ?? at;
        return found.type !== 'tree' || next === undefined ? path : missing(`${at}/${next}`, others);
    };
    return new GitFailure(`"Blob or Tree named '${await missing(first, below)}' not found"`);
}
/** Reads objects, until together they have more than a tool shows. The last one may then be cut. @param ids of objects that exist */
export async function readObjects(repository, ids) {
    if (ids.length === 0)
        return [];
    const maxBytes = MAX_OUTPUT_BYTES + 256 * ids.length;
    const { stdout } = await repository.run(['cat-file', '--batch'], { input: `${ids.join('\n')}\n`, maxBytes });
    const objects = [];
    for (let at = 0; at < stdout.byteLength;) {
        const end = stdout.indexOf('\n', at);
        if (end === -1)
            break;
        const header = stdout.toString('utf8', at, end);
        const [, id, type, size = ''] = /^([0-9a-f]+) (\w+) (\d+)$/.exec(header) ?? [];
        if (id === undefined || type === undefined)
            throw new GitFailure(`The object cannot be read: ${header}`);
        const stop = end + 1 + Number(size);
        objects.push({ id, type, content: stdout.subarray(end + 1, stop), isCut: stop > stdout.byteLength });
        at = stop + 1;
    }
    return objects;
}
//# sourceMappingURL=objects.js.map