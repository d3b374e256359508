/**
 * The page of the task app, in one document: a host lets it load nothing. Its modules are scripts of a browser, so they are not
 * compiled: what they import of each other stands before them in the one script.
 */
import { readFileSync } from 'node:fs';
import { packageFile } from '@longhaul/runtime/package-file';
const FOLDER = packageFile('task-app/', import.meta.url);
/** In the order in which they need each other. */
const SCRIPTS = ['host.js', 'form.js', 'view.js', 'main.js'];
const textOf = (name) => readFileSync(new URL(name, FOLDER), 'utf8');
/** The document. */
export function appPage() {
    const script = SCRIPTS.map((name) => textOf(name)
        .replaceAll(/^import .*$/gm, '')
        .replaceAll(/^export /gm, ''));
    return textOf('page.html')
        .replace('/* style */', () => textOf('style.css'))
        .replace('/* script */', () => script.join('\n'));
}
//# sourceMappingURL=app-page.js.map