/** Tests the example of docs/client.md as its readers run it, and compares the tables of docs/client-reference.md with the code. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as library from '@longhaul/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as example from '../../docs/examples/task-client.js';
import { Deployment } from '../support/deployment.js';
import { waitUntil } from '../support/wait-until.js';
import { section, sorted, tableRows, textOf } from './documents.js';

/** Not used: it has the compiler check the example as well. */
export type CheckedExample = typeof example;

const script = new URL('../../docs/examples/task-client.ts', import.meta.url).pathname;

describe('the example', () => {
  let deployment: Deployment;
  let endpoint: string;
  let folder: string;
  let file: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'longhaul-client-'));
    file = join(folder, 'task.json');
    deployment = Deployment.create({ LONGHAUL_RESEARCH_STAGE_MS: '300' });
    const [gateway] = await Promise.all([deployment.gateway(), deployment.worker()]);
    endpoint = gateway.url;
  });
  afterAll(async () => {
    await deployment.close();
    await rm(folder, { recursive: true, force: true });
  });

  const run = (): ChildProcess => spawn(process.execPath, [script, endpoint, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const keptFile = () => readFile(file, 'utf8').catch(() => undefined);

  it('asks its question, prints the statuses and then the report', async () => {
    const printed = await text(run().stdout!);
    expect(printed).toContain('question       The research query "tides" could have multiple interpretations.');
    expect(printed).toContain('# Research Report: tides (historical)');
    expect(printed).toMatch(/^working /m);
    expect(printed).toMatch(/^completed /m);
    expect(await keptFile()).toBeUndefined();
  });

  it('goes on with its task after it was killed', async () => {
    const first = run();
    const reference = await waitUntil(keptFile, { description: 'the reference is kept' });
    first.kill('SIGKILL');
    await once(first, 'exit');
    const second = run();
    const printed = await text(second.stdout!);
    expect(reference).toContain('"tool":"simulate-research-query"');
    expect(printed).toContain('# Research Report: tides (historical)');
    expect(await keptFile()).toBeUndefined();
  });
});

/** Names of the members of an interface in a source file. */
function membersOf(path: string, name: string): string[] {
  const [, body = ''] = new RegExp(`interface ${name}\\b[^{]*\\{([\\s\\S]*?)\\n\\}`).exec(textOf(path)) ?? [];
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, member = '']) => member);
}

describe('the tables', () => {
  const options = 'libs/client/src/options.ts';
  const named = (heading: string) => sorted(tableRows(section('docs/client-reference.md', heading)).map(([name]) => name));

  it('have every option', () => {
    expect(named('Connecting')).toEqual(sorted(membersOf(options, 'ConnectOptions')));
    expect(named('Calling')).toEqual(sorted([...membersOf(options, 'CallOptions'), ...membersOf(options, 'FollowOptions')]));
  });

  it('have every error', () => {
    const errors = Object.keys(library).filter((name) => name.endsWith('Error') && name !== 'ClientError');
    expect(named('Errors')).toEqual(sorted(errors));
  });
});
