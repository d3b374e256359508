/** Runs a command for operators: connects, and prints. */
import type { Given } from '../command-line/command.js';
import { listenForStopSignals } from '../processes/stop-signals.js';
import type { Terminal } from '../terminal.js';
import { UserError } from '../user-error.js';
import { connect } from './api/connect.js';
import { EXIT } from './api/exit-codes.js';
import type { OperatorApi } from './api/operator-api.js';
import type { Verb } from './command-line/verb.js';
import { Output } from './output/output.js';

/** @returns the exit code. @throws UserError */
export async function runVerb(verb: Verb, given: Given, terminal: Terminal): Promise<number> {
  const output = outputOf(given, terminal);
  const stop = listenForStopSignals(() => process.exit(EXIT.error));
  const context = { given, output, terminal, signal: stop.signal };
  let api: OperatorApi | undefined;
  try {
    if ('runLocally' in verb) return await verb.runLocally(context);
    api = await connect(terminal, given.value('features'));
    return await verb.run({ ...context, api });
  } catch (error) {
    // A command that the user has ended is no failure.
    if (stop.signal.aborted && !(error instanceof UserError)) return EXIT.ok;
    throw error;
  } finally {
    await api?.close();
    stop.dispose();
  }
}

/** Prints in the form that the flags name. @throws UserError */
export function outputOf(given: Given, terminal: Terminal): Output {
  if (given.has('json') && given.has('jsonl')) throw new UserError('--json or --jsonl, not both', EXIT.usage);
  return new Output(terminal, given.has('json') ? 'json' : given.has('jsonl') ? 'jsonl' : 'text', process.stdout.isTTY);
}
