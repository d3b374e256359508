import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { userDataFolder, withDataOfUser } from './user-data-folder.js';

describe('the folder for data of a user', () => {
  it.each<[NodeJS.Platform, NodeJS.ProcessEnv, string]>([
    ['linux', {}, '/home/ada/.local/share/longhaul'],
    ['linux', { XDG_DATA_HOME: '/data/ada' }, '/data/ada/longhaul'],
    ['linux', { XDG_DATA_HOME: '' }, '/home/ada/.local/share/longhaul'],
    ['freebsd', {}, '/home/ada/.local/share/longhaul'],
    ['darwin', { XDG_DATA_HOME: '/data/ada' }, '/home/ada/Library/Application Support/longhaul'],
  ])('is where %s with %j has it', (platform, env, folder) => {
    expect(userDataFolder(env, platform, '/home/ada')).toBe(folder);
  });

  it('is in the local data of Windows', () => {
    expect(userDataFolder({ LOCALAPPDATA: '/local' }, 'win32', '/home/ada')).toBe('/local/longhaul');
    expect(userDataFolder({}, 'win32', '/home/ada')).toBe('/home/ada/AppData/Local/longhaul');
  });

  it('is known where no variable names the home folder', () => {
    expect(userDataFolder({}, 'linux')).toBe(join(process.env['HOME'] || userInfo().homedir, '.local/share/longhaul'));
    expect(userDataFolder({ HOME: '/home/bob' }, 'linux')).toBe('/home/bob/.local/share/longhaul');
  });
});

describe('longhaul stdio', () => {
  it('takes the folder that is named, then that of the working folder, then that of the user', () => {
    const cwd = mkdtempSync(join(tmpdir(), 'longhaul-data-'));
    try {
      const env = { HOME: '/home/ada', LONGHAUL_DATA_DIR: '' };
      expect(withDataOfUser({ ...env, LONGHAUL_DATA_DIR: 'mine' }, cwd)).toMatchObject({ LONGHAUL_DATA_DIR: 'mine' });
      expect(withDataOfUser(env, cwd)).toMatchObject({ LONGHAUL_DATA_DIR: userDataFolder(env) });
      mkdirSync(join(cwd, '.longhaul'));
      expect(withDataOfUser(env, cwd)).toBe(env);
    } finally {
      rmSync(cwd, { recursive: true });
    }
  });
});
