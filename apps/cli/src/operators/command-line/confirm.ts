import { createInterface } from 'node:readline/promises';
import { UserError } from '../../user-error.js';
import { EXIT } from '../api/exit-codes.js';
import type { Given } from '../../command-line/command.js';

/** Asks the user before an operation on many tasks. @throws UserError when the user refuses, or no user can be asked */
export async function confirm(question: string, given: Given, signal: AbortSignal): Promise<void> {
  if (given.has('yes')) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UserError(`${question} There is no terminal to ask on: add --yes`, EXIT.usage);
  const dialogue = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await dialogue.question(`${question} [y/N] `, { signal });
    if (!/^y(es)?$/i.test(answer.trim())) throw new UserError('nothing was done');
  } finally {
    dialogue.close();
  }
}
