import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { accept, decline, runTool } from '@longhaul/mcp-features/testing';
import { buildReport } from '../src/build-report.ts';
import { publishNote } from '../src/publish-note.ts';

let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'my-tools-'));
  process.env['NOTES_FILE'] = join(folder, 'notes.txt');
});
after(() => rm(folder, { recursive: true }));

test('a note is published when its user approves', async () => {
  const { text } = await runTool(publishNote, { text: 'Buy bread.' }, { answers: accept({ approved: true }) });
  assert.equal(text, 'Published.');
  assert.match(await readFile(join(folder, 'notes.txt'), 'utf8'), /^Buy bread\. \(/);
});

test('a note is not published when its user declines', async () => {
  const { text, stepRuns } = await runTool(publishNote, { text: 'Sell bread.' }, { answers: decline });
  assert.equal(text, 'Not published.');
  assert.deepEqual(stepRuns, {});
});

test('the report is the same wherever its worker dies, and no test waits for its pause', async () => {
  const { result, elapsedMs } = await runTool(buildReport, { pauseSeconds: 3_600 }, { kills: true });
  assert.equal(result.structuredContent?.['notes'], 1);
  assert.ok(elapsedMs >= 3_600_000);
});
