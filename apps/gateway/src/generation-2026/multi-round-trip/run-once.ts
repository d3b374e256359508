/**
 * Runs a call once for each `requestState`, because a client may send the same state again: its answer was lost, or the state was stolen.
 * Work within a request runs once for each state: a client that repeats the state gets the recorded outcome, from any gateway. Tasks are
 * not affected, because their state names the task.
 */
import { accountOfRequester, type OutcomeStore, type RateStore } from '@longhaul/sessions/gateway';
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Result } from '@modelcontextprotocol/sdk/types.js';
import { ProtocolError } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { RpcCode } from '../../rpc/errors.js';
import { protocolErrorOf } from '../requests/failures.js';
import type { RequestCall } from '../requests/request-call.js';
import { openRound } from './rounds.js';
import type { StateSeal } from './sealed-state.js';

/** How often and how long a repeated request waits for the running call, milliseconds. */
const LOOK_EVERY_MS = 100;
const LONGEST_WAIT_MS = 30_000;

/** A larger outcome is not kept. */
const MAX_OUTCOME_BYTES = 256 * 1024;
/** The most bytes for the outcomes of one caller, or one address, that are kept at the same time. */
const OUTCOME_BYTES_PER_ACCOUNT = 16 * 1024 * 1024;

/** The parts that it needs. */
export interface RunOnceDeps {
  readonly seal: StateSeal;
  readonly outcomes: OutcomeStore;
  readonly rates: RateStore;
  /** How long a state is valid, milliseconds. */
  readonly stateMs: number;
  readonly logger: Logger;
}

/** The outcome of a call that its client has cancelled, by hanging up. */
const HUNG_UP = new ProtocolError(RpcCode.InvalidParams, 'The client hung up while the call ran, which has cancelled it.', {
  reason: 'request_state_used',
});

type Recorded =
  | { readonly result: Result }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  | { readonly isNotKept: true };

/** Runs the requested work, or returns its outcome when its state was used before. @throws ProtocolError */
export async function runOnce(
  { rates, outcomes, ...deps }: RunOnceDeps,
  request: RequestCall,
  run: () => Promise<Result>,
): Promise<Result> {
  const { requestState } = request.round;
  const { taskId } = openRound(request, deps.seal);
  if (typeof requestState !== 'string' || taskId !== undefined) return run();
  const id = createHash('sha256').update(requestState).digest('base64url');
  const known = await outcomes.begin(id, deps.stateMs);
  if (known !== undefined) return repeated(outcomes, id, known, request.call.scope.signal);
  const record = async (recorded: Recorded): Promise<void> => {
    const text = JSON.stringify(recorded);
    const bytes = Buffer.byteLength(text);
    const account = accountOfRequester(request.call.requester);
    const isKept =
      bytes <= MAX_OUTCOME_BYTES &&
      (await rates.take({ what: 'outcomes', account }, bytes, { limit: OUTCOME_BYTES_PER_ACCOUNT, perMs: deps.stateMs })) === 0;
    await outcomes.record(id, isKept ? text : JSON.stringify({ isNotKept: true } satisfies Recorded));
  };
  const recordQuietly = (recorded: Recorded): Promise<void> =>
    record(recorded).catch((error: unknown) => deps.logger.warn({ err: error }, 'outcome not recorded'));
  try {
    const result = await run();
    await recordQuietly({ result });
    return result;
  } catch (error) {
    const { code, message, data } = request.call.scope.signal.aborted ? HUNG_UP : protocolErrorOf(error, deps.logger);
    await recordQuietly({ error: { code, message, ...(data !== undefined && { data }) } });
    throw error;
  }
}

async function repeated(outcomes: OutcomeStore, id: string, known: string, signal: AbortSignal): Promise<Result> {
  const until = performance.now() + LONGEST_WAIT_MS;
  let text = known;
  while (text === '' && performance.now() < until) {
    await pause(LOOK_EVERY_MS, undefined, { signal });
    text = (await outcomes.begin(id, LONGEST_WAIT_MS)) ?? '';
  }
  const recorded: Recorded = text === '' ? { isNotKept: true } : (JSON.parse(text) as Recorded);
  if ('result' in recorded) return recorded.result;
  if ('error' in recorded) throw new ProtocolError(recorded.error.code, recorded.error.message, recorded.error.data);
  const message = 'The call of this requestState was run before. What came of it is not known, and it is not run again.';
  throw new ProtocolError(RpcCode.InvalidParams, message, { reason: 'request_state_used' });
}
