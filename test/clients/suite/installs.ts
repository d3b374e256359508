/** Installs the clients in the exact versions that their lock files name, outside of what is tracked, and only when these have changed. */
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { installLocked } from '../../support/installation.ts';
import { installPython } from '../../support/python-environment.ts';
import type { SuiteClient } from './catalogue.ts';

const folder = fileURLToPath(new URL('../', import.meta.url));

/** Whether the client is a Python program. */
export function isPython({ from }: SuiteClient): boolean {
  return from.endsWith('.txt');
}

/**
 * Installs what a client needs, unless that is there.
 *
 * @returns the command that runs its program
 * @throws Error when there is no Python for it, or its packages cannot be installed
 */
export function install(client: SuiteClient): [string, ...string[]] {
  const program = join(folder, client.program);
  if (!isPython(client)) {
    if (client.from === 'npm') installLocked(join(folder, 'npm'));
    return [execPath, '--disable-warning=ExperimentalWarning', program];
  }
  return [installPython(join(folder, 'python', client.from)), program];
}
