#!/usr/bin/env node
import { createInterface } from 'node:readline/promises';

import { UsageError } from './arguments.js';
import { createProject } from './create-project.js';
import { readArguments, USAGE } from './arguments.js';

const DEFAULT_FOLDER = 'my-tools';

try {
  const { folder, isHelp, asksNothing } = readArguments(process.argv.slice(2));
  if (isHelp) process.stdout.write(`${USAGE}\n`);
  else create(folder ?? (asksNothing || !process.stdin.isTTY ? DEFAULT_FOLDER : await askForFolder()));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`create-longhaul: ${error.message}\n`);
  process.exitCode = 1;
}

async function askForFolder(): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`Folder of the project (${DEFAULT_FOLDER}): `);
  terminal.close();
  return answer.trim() || DEFAULT_FOLDER;
}

function create(folder: string): void {
  const { name, files } = createProject(folder, process.cwd());
  process.stdout.write(
    [
      `${name} is in ${folder}: ${files.join(', ')}.`,
      '',
      `  cd ${folder}`,
      '  npm install',
      '  npm run dev     serves the tools at http://127.0.0.1:3000/mcp, and again on every change',
      '  npm test',
      '',
    ].join('\n'),
  );
}
