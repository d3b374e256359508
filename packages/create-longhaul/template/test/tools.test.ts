import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runTool } from '@longhaul/mcp-features/testing';
import { buildReport } from '../src/build-report.ts';
import { publishNote } from '../src/publish-note.ts';

let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'my-tools-'));
  process.env['NOTES_FILE'] = join(folder, 'notes.txt');
});
after(() => rm(folder, { recursive: true }));

test('a note is published when its user approves', async () => {
  const { result } = await runTool(publishNote, { text: 'Buy bread.' }, { answers: [{ action: 'accept', content: { approved: true } }] });
  assert.deepEqual(result.content, [{ type: 'text', text: 'Published.' }]);
  assert.match(await readFile(join(folder, 'notes.txt'), 'utf8'), /^Buy bread\. \(/);
});

test('a note is not published when its user declines', async () => {
  const { result } = await runTool(publishNote, { text: 'Sell bread.' }, { answers: [{ action: 'decline' }] });
  assert.deepEqual(result.content, [{ type: 'text', text: 'Not published.' }]);
});

test('the report is the same when the tool dies at each of its operations', async () => {
  const { result } = await runTool(buildReport, { pauseSeconds: 3_600 }, { kills: true });
  assert.equal(result.structuredContent?.['notes'], 1);
});
