import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setVersion } from './packages/set-version.mjs';

let root: string;

function write(path: string, content: object | string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'longhaul-version-'));
  write('package.json', { name: 'longhaul-repository', version: '0.1.0', devDependencies: { zod: '0.1.0' } });
  write('libs/tasks/package.json', { name: '@longhaul/tasks', version: '0.1.0' });
  write('apps/cli/package.json', { name: 'longhaul', version: '0.1.0', dependencies: { '@longhaul/tasks': '0.1.0', other: '0.1.0' } });
});
afterEach(() => rmSync(root, { recursive: true }));

describe('setting the version', () => {
  it('sets that of every package, and of what they need of each other', () => {
    expect(setVersion(root, '0.2.0')).toEqual(['apps/cli/package.json', 'libs/tasks/package.json', 'package.json']);
    expect(JSON.parse(read('apps/cli/package.json'))).toMatchObject({
      version: '0.2.0',
      dependencies: { '@longhaul/tasks': '0.2.0', other: '0.1.0' },
    });
    expect(JSON.parse(read('package.json'))).toMatchObject({ version: '0.2.0', devDependencies: { zod: '0.1.0' } });
  });

  it('sets it where other files name it, and leaves the same digits alone elsewhere', () => {
    write('libs/client/src/connect.ts', `const INFO = { version: '0.1.0' }; const other = '0.1.0';`);
    setVersion(root, '1.0.0-rc.1');
    expect(read('libs/client/src/connect.ts')).toBe(`const INFO = { version: '1.0.0-rc.1' }; const other = '0.1.0';`);
  });

  it('names a file that has another version', () => {
    write('Dockerfile', 'ARG VERSION=0.0.9\n');
    expect(() => setVersion(root, '0.2.0')).toThrow('Dockerfile does not name the version 0.1.0');
  });
});
