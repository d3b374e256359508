import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a folder for one test, with a path for a data file. */
export class TestFolder {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul-test-')));
  readonly dataFile = join(this.path, 'longhaul.db');

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
