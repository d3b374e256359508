import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EndpointMemory } from '@longhaul/agent';
import { keptEndpoints } from './kept-endpoints.js';

describe('The file of endpoints', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'longhaul-endpoints-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const memory = () => new EndpointMemory(keptEndpoints({ HOME: folder, LONGHAUL_DATA_DIR: 'data' }, folder));

  it('has what is known for the next command', async () => {
    expect(await memory().recall('m')).toEqual({});
    await memory().learn('m', { mode: 'textual' });
    await memory().learn('other', { mode: 'native' });

    expect(await memory().recall('m')).toEqual({ mode: 'textual' });
    await memory().forget('m');
    expect(await memory().recall('m')).toEqual({});
    expect(await memory().recall('other')).toEqual({ mode: 'native' });
    expect(readdirSync(join(folder, 'data'))).toEqual(['agent-endpoints.json']);
  });

  it('is begun again when it is damaged', async () => {
    await memory().learn('m', { mode: 'textual' });
    writeFileSync(join(folder, 'data', 'agent-endpoints.json'), '{"half');
    expect(await memory().recall('m')).toEqual({});
    await memory().learn('m', { mode: 'native' });
    expect(await memory().recall('m')).toEqual({ mode: 'native' });
  });
});
