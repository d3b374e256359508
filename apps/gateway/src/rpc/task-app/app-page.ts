/**
 * Builds the page of the task app, in one document: a host lets it load nothing. Its modules are browser scripts, so they are not compiled:
 * imported modules come first in the one script.
 */
import { readFileSync } from 'node:fs';
import { packageFile } from '@longhaul/runtime/package-file';

const FOLDER = packageFile('task-app/', import.meta.url);

/** Each script needs only the ones before it. */
const SCRIPTS = ['host.js', 'form.js', 'view.js', 'main.js'];

const textOf = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');

/** The document. */
export function appPage(): string {
  const script = SCRIPTS.map((name) =>
    textOf(name)
      .replaceAll(/^import .*$/gm, '')
      .replaceAll(/^export /gm, ''),
  );
  return textOf('page.html')
    .replace('/* style */', () => textOf('style.css'))
    .replace('/* script */', () => script.join('\n'));
}
