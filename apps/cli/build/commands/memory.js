import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createCleanup } from '../processes/cleanup.js';
import { readSettings } from '../settings.js';
import { withDataOfUser } from '../user-data-folder.js';
import { UserError } from '../user-error.js';
const USAGE = 'usage: longhaul memory import|export [--owner NAME] FILE';
/**
 * `longhaul memory import|export [--owner NAME] FILE`: the knowledge graph of a caller whom `LONGHAUL_TOKENS` names, or of the
 * user of `longhaul stdio`, as a file of the reference server Memory.
 *
 * @throws UserError for a command line or a file that is not understood, and when the store cannot be used
 */
export async function memory(args, terminal) {
    const { direction, owner, path } = parsed(args, terminal.cwd);
    const cleanup = createCleanup();
    try {
        terminal.out(await transfer(direction, { owner, path, terminal, cleanup }));
        return 0;
    }
    catch (error) {
        if (error instanceof UserError)
            throw error;
        throw new UserError(error instanceof Error ? error.message : String(error));
    }
    finally {
        for (const failure of await cleanup.run())
            terminal.err(`longhaul: while ending: ${String(failure)}`);
    }
}
function parsed(args, cwd) {
    try {
        const { positionals, values } = parseArgs({ args: [...args], options: { owner: { type: 'string' } }, allowPositionals: true });
        const [direction, file, ...rest] = positionals;
        if ((direction === 'import' || direction === 'export') && file !== undefined && rest.length === 0)
            return { direction, owner: values.owner, path: resolve(cwd, file) };
    }
    catch {
        // It is said below.
    }
    throw new UserError(USAGE, 2);
}
/** @returns what has been done, for people */
async function transfer(direction, { owner, path, terminal, cleanup }) {
    // Without an owner it is about the user of `longhaul stdio`.
    const settings = readSettings(owner === undefined ? withDataOfUser(terminal.env, terminal.cwd) : terminal.env, terminal.cwd);
    const { tokens } = settings.gateway;
    if (owner !== undefined && tokens !== undefined && ![...tokens.values()].includes(owner))
        throw new UserError(`--owner ${JSON.stringify(owner)}: LONGHAUL_TOKENS names nobody of that name`);
    // Loaded only here, like everything that help and the other commands do without.
    const [{ openBackend, createOwnerStore, LOCAL_OWNER, ownerOfUser }, { exportGraph, importGraph }, { readSettings: readMemorySettings }] = await Promise.all([
        import('@longhaul/sessions'),
        import('@longhaul/reference-servers/memory/graph-file'),
        import('@longhaul/reference-servers/memory/settings'),
    ]);
    const text = direction === 'import' ? await readFile(path, 'utf8') : '';
    const onError = (error) => terminal.err(`longhaul: ${String(error)}`);
    const backend = await openBackend(settings.gateway, { role: 'gateway', onError });
    cleanup.add(() => backend.close());
    const collections = createOwnerStore(backend.ownerRecords).of({ id: owner === undefined ? LOCAL_OWNER : ownerOfUser(owner) });
    const memorySettings = readMemorySettings(settings.env);
    if (direction === 'import')
        return `${await importGraph(collections, memorySettings, text)} entities and relations imported`;
    const lines = await exportGraph(collections, memorySettings);
    if (lines === '')
        throw new UserError(`there is no graph to export, so ${path} is left as it is`);
    await writeFile(path, lines);
    return `${lines.split('\n').length} entities and relations exported`;
}
//# sourceMappingURL=memory.js.map