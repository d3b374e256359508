import { readFileSync } from 'node:fs';
import { packageFile } from './package-file.js';
/** The version of the package that a module is in, which is that of all packages. @param moduleUrl `import.meta.url` of the module */
export function packageVersion(moduleUrl) {
    const { version } = JSON.parse(readFileSync(packageFile('package.json', moduleUrl), 'utf8'));
    return version;
}
//# sourceMappingURL=package-version.js.map