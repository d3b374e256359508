/** Tests `longhaul stdio` as desktop clients start it: with almost no environment, in any folder. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ENTRY, Workplace } from './support/launcher.js';
import { connectStdio, type StdioClient } from './support/stdio-client.js';

let place: Workplace;
beforeEach(() => {
  place = new Workplace();
});
afterEach(() => place.close());

/** @param name of the folder in which the client starts it */
function connectIn(name: string): Promise<StdioClient> {
  const folder = join(place.folder, name);
  mkdirSync(folder, { recursive: true });
  // As dash and bash both do it, without a variable that the shell would add.
  const command = ['/bin/sh', '-c', 'cd "$0" && exec "$1" "$2" stdio', folder, process.execPath, ENTRY] as const;
  const env = { PATH: '/usr/bin:/bin', LONGHAUL_DATA_DIR: '', LONGHAUL_FEATURES: '@longhaul/reference-servers/memory' };
  return connectStdio(place, { command: [...command], env });
}

test('what it keeps in one folder is there in the next, and neither folder has it', async () => {
  const first = await connectIn('first');
  const entities = [{ name: 'Ada', entityType: 'person', observations: ['was here'] }];
  await first.client.callTool({ name: 'create_entities', arguments: { entities } });
  await first.close();

  const second = await connectIn('second');
  const graph = await second.client.callTool({ name: 'read_graph', arguments: {} });
  expect(JSON.stringify(graph)).toContain('was here');
  await second.close();
  for (const name of ['first', 'second']) expect(readdirSync(join(place.folder, name))).toEqual([]);
});

test('it goes on with the data of a folder in which `longhaul start` has made some', async () => {
  mkdirSync(join(place.folder, 'project/.longhaul'), { recursive: true });
  const { client, close } = await connectIn('project');
  await client.callTool({ name: 'read_graph', arguments: {} });
  await close();
  expect(readdirSync(join(place.folder, 'project/.longhaul'))).not.toEqual([]);
});
