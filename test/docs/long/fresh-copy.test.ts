/** Runs the commands of the documents, one after the other, in a fresh copy of the repository. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { section } from '../documents.js';
import { FreshCopy } from '../fresh-copy.js';

const LIMIT_MS = 240_000;

let copy: FreshCopy;
beforeAll(() => {
  copy = new FreshCopy();
});
afterAll(() => copy.close());

/** The names of the tools that are served. */
async function toolsAt(endpoint: string): Promise<string[]> {
  const client = new Client({ name: 'fresh', version: '1' }, { capabilities: { elicitation: {}, sampling: {} } });
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)));
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

describe('in a fresh copy', { timeout: LIMIT_MS }, () => {
  test('`npm start` compiles and serves, and the examples for its users run', async () => {
    await copy.serving('npm start', async (endpoint) => {
      const printed = async (command: string): Promise<string> => {
        const { code, output } = await copy.run(command);
        expect({ command, code, output }).toMatchObject({ code: 0 });
        return output;
      };
      expect(await printed(`sh docs/examples/first-session.sh ${endpoint}`)).toContain('# Research Report: python (snake)');
      const stock = await printed(`npx node docs/examples/client.ts ${endpoint}`);
      expect(stock).toContain('# Research Report: tides (historical)');
      expect(await printed(`npx node docs/examples/task-client.ts ${endpoint}`)).toContain('# Research Report: tides (historical)');
      const taskId = /^created +(\S+)$/m.exec(stock)?.[1] ?? '';
      expect(await printed(`npx node docs/examples/story.ts ${taskId}`)).toMatch(/^1\tTaskCreated\t[\s\S]*\tTaskCompleted\t/);
    });
  });

  test('`npm run clean` leaves nothing compiled, and `npm run build` compiles it again', async () => {
    const compiled = ['apps/cli', 'libs/client', 'apps/operator'].map((place) => join(copy.folder, place, 'dist'));
    expect((await copy.run('npm run clean')).code).toBe(0);
    expect(compiled.map(existsSync)).toEqual([false, false, false]);
    expect((await copy.run('npm run build')).code).toBe(0);
    expect(compiled.map(existsSync)).toEqual([true, true, true]);
  });

  test.each([
    ['docs/examples/feature-kinds.ts', 'temperature'],
    ['docs/examples/publish-note.ts', 'publish-note'],
    ['docs/examples/write-book.ts', 'write-book'],
    ['examples/place-order.ts', 'place-order'],
    ['examples/text-tools.ts', 'text-statistics'],
    ['examples/glossary.ts', 'look-up-term'],
  ])('the first line of %s says how to serve it', async (file, tool) => {
    const [first = ''] = readFileSync(join(copy.folder, file), 'utf8').split('\n');
    const [command = ''] = /(?:npm run build -- examples && )?LONGHAUL_FEATURES=\S+ npm start|npm start -- \S+/.exec(first) ?? [];
    await copy.serving(command, async (endpoint) => expect(await toolsAt(endpoint)).toContain(tool));
  });

  test('the first durable tool continues when its worker is killed, and repeats no recorded chapter', async () => {
    const tool = './docs/examples/write-book.ts';
    const book = (): string => readFileSync(join(copy.folder, 'book.txt'), { encoding: 'utf8', flag: 'a+' });
    await copy.serving(`npm start -- ${tool}`, async () => {
      const called = await copy.run(`npx longhaul call write-book title="My book" seconds=0.5`);
      expect(called).toMatchObject({ code: 0, output: expect.stringMatching(/^\S+ is started\n$/) as string });
      await waitUntil(() => book().includes('chapter 2'), { description: 'the second chapter is written' });
      expect((await copy.run(`pkill -9 -f ${copy.folder}/apps/worker/dist`)).code).toBe(0);
      const waited = await copy.run(`npx longhaul wait ${called.output.split(' ')[0]}`);
      expect(waited).toMatchObject({ code: 0 });
    });
    // A chapter that was written and not recorded is written again.
    expect([...new Set(book().trimEnd().split('\n'))]).toEqual([1, 2, 3, 4, 5, 6].map((chapter) => `My book, chapter ${chapter}`));
  });

  test('`npm run dev` serves', async () => {
    await copy.serving('npm run dev', async (endpoint) => expect(await toolsAt(endpoint)).toContain('echo'));
  });

  test('a line to standard input is answered', async () => {
    const [, command = ''] = /```sh\ntime (.*)\n```/.exec(section('docs/install.md', 'What it does')) ?? [];
    const pong = { code: 0, output: expect.stringContaining('{"jsonrpc":"2.0","id":1,"result":{}}') as string };
    expect(await copy.run(command)).toMatchObject(pong);
    expect(await copy.run(command.replace('npx longhaul stdio', 'npm run --silent stdio'))).toMatchObject(pong);
  });

  test('tests of one name run', async () => {
    const { code, output } = await copy.run('npm test -- test/stores/contract -t append');
    expect(output.trimEnd().split('\n').at(-1)).toMatch(/^[1-9]\d* passed, 0 failed$/);
    expect(code).toBe(0);
  });

  test('`npm run docs:features` changes nothing', async () => {
    const before = readFileSync(join(copy.folder, 'docs/features.md'), 'utf8');
    expect((await copy.run('npm run docs:features')).code).toBe(0);
    expect(readFileSync(join(copy.folder, 'docs/features.md'), 'utf8')).toBe(before);
  });

  test('the benchmark runs', async () => {
    const { code, output } = await copy.run('npm run bench -- --rounds 1 --ms 200 --warm-up-ms 50 --concurrency 4');
    expect({ code, output }).toMatchObject({ code: 0 });
  });
});
