/** Tests `longhaul start --watch`: a change is served in less than a second, and running tasks continue. */
import { connect, type TaskClient } from '@longhaul/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { waitUntil } from '../support/wait-until.js';
import { type Launcher, Workplace } from './support/launcher.js';

let place: Workplace;
let clients: TaskClient[] = [];

beforeEach(() => {
  place = new Workplace();
  place.install('@longhaul/mcp-features', 'zod');
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  clients = [];
  await place.close();
});

/** A tool that asks between two steps. */
const askingTool = (first: string, ending: string): string => `
  import { defineTool } from '@longhaul/mcp-features';
  import { z } from 'zod';
  import { sign } from './sign.ts';
  export const features = [defineTool({
    name: 'ask', description: 'Asks.', input: z.object({}), task: 'required',
    async run(_args, context) {
      const first = await context.step('${first}', () => 'begun');
      const { action } = await context.elicit({ message: 'Go on?', requestedSchema: { type: 'object', properties: {} } });
      return \`\${first}, \${action}, ${ending}\${sign}\`;
    },
  })];`;

async function started(): Promise<{ launcher: Launcher; url: URL }> {
  const launcher = place.run(['start', '--watch', 'src/tools.ts'], { PORT: '0', LONGHAUL_NO_WORKER_MS: '20000', LONGHAUL_DRAIN_MS: '500' });
  return { launcher, url: await launcher.endpoint() };
}

const said = (launcher: Launcher, text: RegExp) =>
  waitUntil(() => text.exec(launcher.stderr()) ?? undefined, { description: `it says ${text.source}` });

/** A call that is held at its question until `answer` is called. */
async function callHeldAtQuestion(url: URL) {
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const client = await connect(url, {
    onInput: {
      async elicitation() {
        asked.resolve();
        await answered.promise;
        return { action: 'accept', content: {} };
      },
    },
  });
  clients.push(client);
  const result = client.callTool('ask', {});
  result.catch(() => undefined);
  await asked.promise;
  return { result, answer: answered.resolve };
}

describe('longhaul start --watch', () => {
  test('serves what has changed, also in a module that is imported, while a task goes on to its end', async () => {
    place.write('src/sign.ts', `export const sign: string = '.';`);
    place.write('src/tools.ts', askingTool('begin', 'old'));
    const { launcher, url } = await started();
    const { result, answer } = await callHeldAtQuestion(url);

    place.write('src/tools.ts', askingTool('begin', 'new'));
    const [, tookMs] = await said(launcher, /^longhaul: reloaded in (\d+) ms: src\/tools.ts$/m);
    place.write('src/sign.ts', `export const sign: string = '!';`);
    await said(launcher, /^longhaul: reloaded in \d+ ms: src\/sign.ts$/m);
    answer();

    expect(await result).toMatchObject({ content: [{ type: 'text', text: 'begun, accept, new!' }] });
    expect(Number(tookMs)).toBeGreaterThan(0);
  });

  test('leaves what runs alone when a change cannot be loaded, and takes the next one', async () => {
    place.write('src/sign.ts', `export const sign = '.';`);
    place.write('src/tools.ts', askingTool('begin', 'old'));
    const { launcher, url } = await started();
    const { result, answer } = await callHeldAtQuestion(url);

    place.write('src/tools.ts', 'export const features = [;');
    await said(launcher, /^longhaul: not reloaded, the earlier processes keep running: Feature module "src\/tools.ts" cannot be loaded: /m);
    answer();
    expect(await result).toMatchObject({ content: [{ type: 'text', text: 'begun, accept, old.' }] });

    place.write('src/tools.ts', `export { features } from './more.ts';`);
    await said(launcher, /there is no|Cannot find module/);
    place.write('src/more.ts', askingTool('begin', 'more'));
    await said(launcher, /^longhaul: reloaded in \d+ ms: /m);
  });

  test('names how the record of a task does not fit the changed workflow, and the task goes on when the change is undone', async () => {
    place.write('src/sign.ts', `export const sign = '.';`);
    place.write('src/tools.ts', askingTool('begin', 'old'));
    const { launcher, url } = await started();
    const { result, answer } = await callHeldAtQuestion(url);

    place.write('src/tools.ts', askingTool('start', 'old'));
    await said(launcher, /^longhaul: reloaded in/m);
    answer();
    const [line] = await said(launcher, /^longhaul: task \S+ of ask does not fit .*$/m);
    expect(line).toMatch(/ asked for "start" where step "begin" is recorded\. Undo the change, or it fails in 20 s$/);

    place.write('src/tools.ts', askingTool('begin', 'again'));
    expect(await result).toMatchObject({ content: [{ type: 'text', text: 'begun, accept, again.' }] });
  });
});
