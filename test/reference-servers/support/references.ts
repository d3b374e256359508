/** The reference servers, in the versions of the lock files. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Reference } from './side-by-side.js';

const INSTALL = fileURLToPath(new URL('../python/install.ts', import.meta.url));

/** One that is written in TypeScript. @param program the URL of its program */
export function ofNode(title: string, program: string): Reference {
  return { title, generations: ['2025-11-25'], command: async () => [process.execPath, fileURLToPath(program)] };
}

/** One that is written in Python. Its start fails, and says so, where there is no Python or its packages cannot be installed. */
export function ofPython(title: string, module: string): Reference {
  return { title, generations: ['2025-11-25', '2026-07-28'], command: async () => [await pythonOfServers(), '-m', module] };
}

async function pythonOfServers(): Promise<string> {
  try {
    return (await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', INSTALL])).stdout;
  } catch (error) {
    throw new Error(`The reference servers cannot be installed: ${(error as { stderr?: string }).stderr ?? String(error)}`, {
      cause: error,
    });
  }
}
