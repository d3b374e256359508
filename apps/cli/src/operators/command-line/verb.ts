/** Defines the parts that commands for operators need. */
import type { CommandForm, Given } from '../../command-line/command.js';
import type { Terminal } from '../../terminal.js';
import type { OperatorApi } from '../api/operator-api.js';
import type { Output } from '../output/output.js';

/** The parts of a command that needs no operator API. */
export interface LocalContext {
  readonly given: Given;
  readonly output: Output;
  readonly terminal: Terminal;
  /** Aborted when the user wants it to end. */
  readonly signal: AbortSignal;
}

/** The parts of the other commands. */
export interface VerbContext extends LocalContext {
  readonly api: OperatorApi;
}

/** A command for operators. */
export type Verb = CommandForm &
  (
    | {
        /** @returns the exit code. @throws UserError */
        run(context: VerbContext): Promise<number>;
      }
    | {
        /** The same, of a command that needs no operator API. */
        runLocally(context: LocalContext): Promise<number>;
      }
  );
