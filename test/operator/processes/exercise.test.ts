/** Does the exercise of docs/operating.md with only the command line. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Workplace } from '../../cli/support/launcher.js';
import { waitUntil } from '../../support/wait-until.js';
import { breakDeployment, FAILED, isPutRight, QUESTIONS, REASON } from '../support/broken-deployment.js';

let place: Workplace;
beforeEach(() => {
  place = new Workplace();
});
afterEach(() => place.close());

it('finds and puts right what is wrong in a deployment, in at most 15 commands', async () => {
  const { ops, crawling, shipping } = await breakDeployment(place);
  const env = { LONGHAUL_OPS_URL: ops.url, LONGHAUL_OPS_TOKEN: ops.token };
  let commands = 0;
  const longhaul = async (...args: readonly string[]): Promise<{ readonly code: number | null; readonly out: string }> => {
    commands += 1;
    // Modules are looked for from where the process is.
    const { code, stdout, stderr } = await (args.includes('--features') ? place.run(args, env).ended : place.command(args, env));
    return { code, out: stdout + stderr };
  };
  const done = async (...args: readonly string[]): Promise<string> => {
    const { code, out } = await longhaul(...args);
    expect(code, out).toBe(0);
    return out;
  };

  expect(await done('queue')).toMatch(/waiting +5/);
  const workers = await done('workers', '--json');
  const running = (JSON.parse(workers) as { workers: { running: { taskId: string; tool: string }[] }[] }).workers.flatMap(
    (one) => one.running,
  );
  expect(running.map(({ taskId }) => taskId).toSorted()).toEqual(crawling.toSorted());
  await done('tasks', 'cancel', ...running.map(({ taskId }) => taskId), '--reason', 'they never end');

  const failed = await done('failures');
  expect(failed).toMatch(new RegExp(`${FAILED} +charge .*${REASON}`));
  expect(await done('tasks', 'list', '--status', 'failed', '--tool', 'charge')).toMatch(/tenant 3[^]*tenant 7|tenant 7[^]*tenant 3/);
  await done('tasks', 'retry', '--tool', 'charge', '--failure', REASON, '--reason', 'the bank is back', '--yes');

  expect((await done('questions', '--jsonl')).trim().split('\n')).toHaveLength(QUESTIONS);
  await done('answer', '--tool', 'survey', 'count=3', '--reason', 'counted by hand', '--yes');

  expect(await done('tasks', 'show', shipping)).toContain('wrap');
  await done('tasks', 'export', shipping, 'ship.json');
  expect(await longhaul('replay', 'ship.json', '--features', 'shop.mjs')).toMatchObject({
    code: 1,
    out: expect.stringMatching(/wrap[^]*box|box[^]*wrap/) as string,
  });
  await done('tasks', 'retry', shipping, '--reason', 'the code has changed');
  expect(commands).toBeLessThanOrEqual(15);

  await waitUntil(() => isPutRight(place), { description: 'all is well' });
});
