/** Starts the machine's Chromium without a window, with its own empty profile. */
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome'];
const ARGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Browser {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/** @throws Error with one line that says what to install */
export async function openChromium(): Promise<Browser> {
  const executablePath = findProgram();
  const profile = mkdtempSync(join(tmpdir(), 'longhaul-chromium-'));
  const context = await chromium.launchPersistentContext(profile, { executablePath, headless: true, chromiumSandbox: false, args: ARGS });
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

function findProgram(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = folders.flatMap((folder) => PROGRAMS.map((program) => join(folder, program)));
  const found = paths.find(isExecutable);
  if (found === undefined) throw new Error(`The tests of pages need Chromium on PATH: install Debian's package "chromium".`);
  return found;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
