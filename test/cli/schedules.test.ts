/** Tests that operators look after schedules from a terminal, with the processes of a deployment and the example of the documents. */
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitUntil } from '../support/wait-until.js';
import { Workplace } from './support/launcher.js';

const EXAMPLES = new URL('../../docs/examples/', import.meta.url).pathname;

let place: Workplace;
beforeEach(() => {
  place = new Workplace();
  place.install('@longhaul/mcp-features', 'zod');
  for (const file of ['nightly-report.ts', 'schedules.json']) copyFileSync(join(EXAMPLES, file), join(place.folder, file));
});
afterEach(() => place.close());

test('schedules are listed, shown, run, paused, backfilled, added and removed', async () => {
  const launcher = place.run(['start', 'nightly-report.ts'], {
    PORT: '0',
    LONGHAUL_OPS_PORT: '0',
    LONGHAUL_SCHEDULES: 'schedules.json',
  });
  await launcher.endpoint();
  const [, opsUrl = '', tokenFile = ''] = /Operators +(\S+) \(token in ([^)]+)\)/.exec(launcher.stdout()) ?? [];
  const env = { LONGHAUL_OPS_URL: opsUrl, LONGHAUL_OPS_TOKEN: readFileSync(tokenFile, 'utf8').trim() };
  const run = async (...words: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await place.command(['schedules', ...words], env);
    return code === 0 ? stdout : `exit code ${code}: ${stderr}`;
  };
  const reason = ['--reason', 'to try it'];
  await waitUntil(async () => (await run()).includes('nightly-report'), { description: 'the file is read' });
  expect(await run()).toMatch(/nightly-report +nightly-report +30 2 \* \* \* Europe\/Berlin +\d{4}-/);

  expect(await run('pause', 'nightly-report', ...reason)).toBe('nightly-report is paused\n');
  expect(await run()).toContain('paused by operator:');
  expect(await run('run', 'nightly-report', ...reason)).toBe('nightly-report starts a task within a second\n');
  await waitUntil(() => existsSync(join(place.folder, 'report.txt')), { description: 'the report is written' });
  expect(await run('resume', 'nightly-report', ...reason)).toMatch(/^nightly-report continues at \d{4}-/);
  expect(await run('backfill', 'nightly-report', '--from', '2d', '--to', '1d', ...reason)).toMatch(/starts [12] past times/);
  const shown = await run('show', 'nightly-report');
  expect(shown.match(/^next /gm)).toHaveLength(10);
  expect(shown).toMatch(/started [0-9a-f-]{36} for \S+ \(run\)/);
  expect(shown).toMatch(/SchedulePaused operator:\S+ to try it/);
  expect(await run('remove', 'nightly-report', ...reason)).toContain('change it there');

  const weekly = ['add', 'weekly', 'nightly-report', 'days=7', '--cron', '0 6 * * MON', '--time-zone', 'Europe/Berlin', ...reason];
  expect(await run(...weekly)).toMatch(/^weekly starts nightly-report at \d{4}-/);
  expect(await run(...weekly)).toContain('There is a schedule of that name already');
  expect(await run(...weekly, '--replace')).toMatch(/^weekly starts nightly-report at/);
  expect(await run('add', 'wrong', 'nightly-report', '--cron', '61 * * * *', ...reason)).toContain(
    'schedule.cron: has the minute 61: it must be from 0 to 59',
  );
  expect(await run('remove', 'weekly', ...reason)).toBe('weekly is removed; its tasks continue\n');
});
