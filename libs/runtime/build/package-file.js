import { existsSync } from 'node:fs';
const MANIFEST = 'package.json';
/**
 * A file or a folder of a package, wherever in it the module that asks has come to be: as a source, compiled, or joined with others.
 * Node's `findPackageJSON` finds none of a package that lies in an archive, as Yarn's Plug'n'Play leaves them.
 *
 * @param path from the package's folder; that of a folder ends with `/`
 * @param moduleUrl `import.meta.url` of the module that asks
 * @throws Error when the module belongs to no package
 */
export function packageFile(path, moduleUrl) {
    let folder = new URL('.', moduleUrl);
    while (!existsSync(new URL(MANIFEST, folder))) {
        const above = new URL('..', folder);
        if (above.href === folder.href)
            throw new Error(`${moduleUrl} belongs to no package.`);
        folder = above;
    }
    return new URL(path, folder);
}
//# sourceMappingURL=package-file.js.map