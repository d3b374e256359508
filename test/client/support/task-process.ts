/**
 * A process that calls a tool, or takes up a task that another one has left behind:
 * `node task-process.ts call <url> <generation> <tool> <arguments>` prints the reference, then waits for the result;
 * `node task-process.ts resume <url> <generation> <reference>` prints the result.
 */
import { stdout } from 'node:process';
import { connect, type Generation, type TaskReference } from '@longhaul/client';

const [mode, url = '', generation, ...rest] = process.argv.slice(2);
const print = (value: unknown): void => void stdout.write(`${JSON.stringify(value)}\n`);

const client = await connect(url, {
  generation: generation as Generation,
  onInput: { elicitation: ({ message }) => ({ action: 'accept', content: { name: `${mode} ${message}` } }) },
});
if (mode === 'call') {
  const [tool = '', args = '{}'] = rest;
  print(await client.callTool(tool, JSON.parse(args) as Record<string, unknown>, { onTask: print }));
} else print(await client.resumeTask(JSON.parse(rest[0] ?? '') as TaskReference));
await client.close();
