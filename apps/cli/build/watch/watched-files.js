import { createHash } from 'node:crypto';
import { readFileSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
/** Editors write several files at once, and some of them in several steps. */
const QUIET_MS = 50;
/**
 * Watches files. Their folders are what is observed: editors replace a file rather than write to it.
 *
 * @param onChange called once the files are quiet
 * @param onFailure called once for a folder that cannot be observed, or no longer, for example because the system has no room for more
 */
export function watchFiles(onChange, onFailure) {
    /** By folder; undefined for one that cannot be observed. */
    const watchers = new Map();
    const names = new Map();
    const digests = new Map();
    let timer;
    let othersCount = false;
    const touched = (folder, name) => {
        if (!othersCount && name !== null && names.get(folder)?.has(name) !== true)
            return;
        clearTimeout(timer);
        timer = setTimeout(onChange, QUIET_MS);
    };
    const observe = (folder) => {
        const fail = (error) => {
            watchers.set(folder, undefined);
            onFailure(folder, error instanceof Error ? error : new Error(String(error)));
        };
        try {
            watchers.set(folder, watch(folder, (_event, name) => touched(folder, name)).on('error', fail));
        }
        catch (error) {
            fail(error);
        }
    };
    return {
        add(path) {
            if (digests.has(path))
                return;
            digests.set(path, digestOf(path));
            const folder = dirname(path);
            names.set(folder, (names.get(folder) ?? new Set()).add(basename(path)));
            if (!watchers.has(folder))
                observe(folder);
        },
        look() {
            const changed = [];
            for (const [path, before] of digests) {
                const now = digestOf(path);
                if (now === before)
                    continue;
                digests.set(path, now);
                changed.push(path);
            }
            const all = [...digests].toSorted(([one], [other]) => (one < other ? -1 : 1));
            return { digest: shortHash(JSON.stringify(all)), changed };
        },
        countOthers: (counts) => void (othersCount = counts),
        close() {
            clearTimeout(timer);
            for (const watcher of watchers.values())
                watcher?.close();
        },
    };
}
function digestOf(path) {
    try {
        return shortHash(readFileSync(path));
    }
    catch {
        return 'gone';
    }
}
function shortHash(content) {
    return createHash('sha256').update(content).digest('hex').slice(0, 12);
}
//# sourceMappingURL=watched-files.js.map