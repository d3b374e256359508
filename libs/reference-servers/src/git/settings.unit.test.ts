import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@longhaul/runtime/environment';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitTools } from './git-tools.js';
import { readSettings } from './settings.js';
import { checkWorker } from './worker-check.js';

describe('LONGHAUL_GIT_ROOTS', () => {
  it('is a list of folders, of which there are none by default', () => {
    expect(readSettings({ LONGHAUL_GIT_ROOTS: '/a, /b/c' })).toEqual({ roots: ['/a', '/b/c'] });
    expect(readSettings({})).toEqual({ roots: [] });
  });

  it('with a relative path is refused', () => {
    const message = 'LONGHAUL_GIT_ROOTS=/a,b: must be absolute paths of folders, separated by commas';
    expect(() => readSettings({ LONGHAUL_GIT_ROOTS: '/a,b' })).toThrow(new ConfigError(message));
  });

  it('without a folder lists no tools; else the twelve of the reference server, in its order', () => {
    expect(gitTools({ roots: [] })).toEqual([]);
    expect(gitTools({ roots: ['/a'] }).map(({ name }) => name)).toEqual([
      'git_status',
      'git_diff_unstaged',
      'git_diff_staged',
      'git_diff',
      'git_commit',
      'git_add',
      'git_reset',
      'git_log',
      'git_create_branch',
      'git_checkout',
      'git_show',
      'git_branch',
    ]);
  });
});

describe('a worker', () => {
  let folder: string;
  const path = process.env['PATH'];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'git-roots-'));
  });
  afterEach(() => {
    process.env['PATH'] = path;
    rmSync(folder, { recursive: true });
  });

  it('can run the tools where every folder is there, and needs nothing where none is named', async () => {
    await expect(checkWorker([folder])).resolves.toBeUndefined();
    process.env['PATH'] = folder;
    await expect(checkWorker([])).resolves.toBeUndefined();
  });

  it('does not start without a folder, or with a file in its place, and says which', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const lines = [file, join(folder, 'missing')].map((root) => `LONGHAUL_GIT_ROOTS: "${root}" is no folder on this worker`);
    await expect(checkWorker([folder, file, join(folder, 'missing')])).rejects.toThrow(new ConfigError(lines.join('\n')));
  });

  it('does not start without git', async () => {
    process.env['PATH'] = folder;
    await expect(checkWorker([folder])).rejects.toThrow('git cannot be started on this worker: is it installed?');
  });
});
