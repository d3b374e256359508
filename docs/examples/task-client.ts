/** A research task that outlives this process: npx node docs/examples/task-client.ts [endpoint] [file] */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { stdout } from 'node:process';
import { connect, type InputHandlers, type TaskReference, type TaskStatus } from '@longhaul/client';

const [endpoint = 'http://127.0.0.1:3000/mcp', file = 'task.json'] = process.argv.slice(2);

const onInput: InputHandlers = {
  elicitation({ message }) {
    stdout.write(`question       ${message}\n`);
    return { action: 'accept', content: { interpretation: 'historical' } };
  },
};
const onStatus = ({ status, statusMessage = '' }: TaskStatus) => {
  stdout.write(`${status.padEnd(14)} ${statusMessage}\n`);
};

// In one step, so that whenever this process dies the file is whole.
const keep = async (reference: TaskReference) => {
  await writeFile(`${file}.new`, JSON.stringify(reference), { mode: 0o600 });
  await rename(`${file}.new`, file);
};

const client = await connect(endpoint, { onInput });
// A run before this one may have been interrupted. Then its task is taken up again, otherwise a new one begins.
const kept = await readFile(file, 'utf8').catch(() => undefined);
const result =
  kept === undefined
    ? await client.callTool('simulate-research-query', { topic: 'tides', ambiguous: true }, { onStatus, onTask: keep })
    : await client.resumeTask(JSON.parse(kept) as TaskReference, { onStatus });
await rm(file, { force: true });
stdout.write(`result         ${JSON.stringify(result.content)}\n`);
await client.close();
