import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProject } from './create-project.js';

let place: string;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'longhaul-create-'));
});
afterEach(() => rmSync(place, { recursive: true }));

const manifestOf = (folder: string): unknown => JSON.parse(readFileSync(join(place, folder, 'package.json'), 'utf8'));

describe('a new project', () => {
  it('is called as its folder, and has the packages of the version that wrote it', () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
    const { name } = createProject('in/My Tools', place);
    expect(name).toBe('my-tools');
    expect(manifestOf('in/My Tools')).toMatchObject({ name: 'my-tools', dependencies: { longhaul: `^${version}`, zod: '^4.0.0' } });
  });

  it('has tools, their tests, a Dockerfile, a Compose file and a file of what git leaves out', () => {
    const { files } = createProject('tools', place);
    const expected = ['.gitignore', 'Dockerfile', 'README.md', 'compose.yaml', 'src/tools.ts', 'test/tools.test.ts', 'tsconfig.json'];
    expect(files).toEqual(expect.arrayContaining(expected));
  });

  it('may be written into an empty folder, and into no other', () => {
    mkdirSync(join(place, 'tools'));
    createProject('tools', place);
    writeFileSync(join(place, 'file'), '');
    expect(() => createProject('tools', place)).toThrow('tools is there already, and not an empty folder: name another one');
    expect(() => createProject('file', place)).toThrow('file is there already');
  });

  it('needs a folder whose name has a letter', () => {
    expect(() => createProject('---', place)).toThrow('"---" cannot be the name of a project');
  });
});
