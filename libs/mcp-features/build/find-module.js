/**
 * What the name of a feature module stands for: a file, a package, or a folder. The names come from the command line and from
 * `LONGHAUL_FEATURES`, so they mean what they mean in the working folder, wherever Longhaul itself is installed.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
const MODULE = /(?<!\.d|\.test|\.spec)\.m?[jt]s$/;
const INDEX = /^index\.m?[jt]s$/;
/**
 * Finds what is to be imported. A name is a path if there is a file or folder of that path, or if it begins with `.` or `/`; any other one
 * is a package. A folder stands for its package, for its index module, or for the modules in it.
 *
 * @param besides the URL of a module of the application, whose packages are found too when the working folder has none of that name
 */
export function findModules(name, besides) {
    const path = resolve(name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() === true)
        return inFolder(path);
    if (found !== undefined || name.startsWith('.') || isAbsolute(name))
        return single(pathToFileURL(path).href);
    return single(name, [pathToFileURL(`${process.cwd()}/`).href, ...(besides === undefined ? [] : [besides])]);
}
function single(specifier, from = []) {
    return { modules: [{ specifier, from }], isFolder: false };
}
function inFolder(path) {
    const names = readdirSync(path).toSorted();
    if (names.includes('package.json')) {
        const { name, exports, main } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
        // A package may import itself by its name if it says what it exports.
        if (exports !== undefined && typeof name === 'string')
            return single(name, [pathToFileURL(`${path}/`).href]);
        if (typeof main === 'string')
            return single(pathToFileURL(join(path, main)).href);
    }
    const index = names.find((name) => INDEX.test(name));
    if (index !== undefined)
        return single(pathToFileURL(join(path, index)).href);
    const modules = names.filter((name) => MODULE.test(name)).map((name) => ({ specifier: pathToFileURL(join(path, name)).href, from: [] }));
    return { modules, isFolder: true };
}
/** Imports it. @throws what the module throws; of a package that is nowhere, why it was not found in the first place */
export async function importModule({ specifier, from }) {
    const [first, ...others] = from;
    if (first === undefined)
        return (await import(specifier));
    try {
        return await importFrom(specifier, first);
    }
    catch (error) {
        const wasNotFound = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
        if (!wasNotFound || others.length === 0)
            throw error;
        // What one of its own imports lacks is not found from there either.
        return importModule({ specifier, from: others }).catch(() => Promise.reject(error));
    }
}
/** Imports a package as a module in that folder would. */
async function importFrom(name, parentURL) {
    const hook = registerHooks({
        resolve: (specifier, context, next) => next(specifier, specifier === name ? { ...context, parentURL } : context),
    });
    try {
        return (await import(name));
    }
    finally {
        hook.deregister();
    }
}
//# sourceMappingURL=find-module.js.map