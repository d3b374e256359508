import { ProtocolError } from '@modelcontextprotocol/client';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { waitUntil } from '../../support/wait-until.js';
import { differencesOf, lineOf } from './differences.js';
import type { AskedClient, Message, Pair } from './asked-client.js';
import { normalise } from './normalise.js';
import type { Probe } from './probe.js';

/** How long the notifications of a server may come after its answer. */
const SETTLE_MS = 500;

/**
 * Runs a probe on both servers at the same time.
 *
 * @param isMeant whether a difference is a meant one, so that it makes no sense to wait until it is gone
 * @returns the differences, one on a line
 */
export async function compare<Side extends AskedClient>(
  { reference, ours }: Pair<Side>,
  probe: Probe<Side>,
  isMeant: (line: string) => boolean,
): Promise<string[]> {
  const [theirs, own] = await Promise.all([runOn(reference, probe), runOn(ours, probe)]);
  let lines: string[] = [];
  const isSettled = (): boolean => {
    const differences = differencesOf({ ...theirs, ...recordedBy(reference) }, { ...own, ...recordedBy(ours) });
    lines = differences.map((difference) => lineOf(probe.name, difference));
    return lines.every(isMeant);
  };
  // When the time is over, the differences are the answer.
  // oxlint-disable-next-line test-timing/no-short-limit -- messages that nobody sends are waited for in vain
  await waitUntil(isSettled, { timeoutMs: SETTLE_MS, description: 'both have sent the same' }).catch(() => undefined);
  for (const client of [reference, ours]) client.forget();
  return lines;
}

async function runOn<Side extends AskedClient>(client: Side, { answers = {}, run }: Probe<Side>): Promise<Record<string, unknown>> {
  client.answers = answers;
  try {
    return { result: normalise(await run(client)) };
  } catch (error) {
    if (!(error instanceof McpError || error instanceof ProtocolError)) throw error;
    return { error: normalise({ code: error.code, message: error.message, data: error.data }) };
  }
}

/** By method, because messages about different things come in no order. */
function recordedBy(client: AskedClient): Record<string, unknown> {
  const { asked, notified } = client.recorded();
  return { asked: byMethod(asked), notified: byMethod(notified) };
}

function byMethod(messages: readonly Message[]): unknown {
  const grouped = Object.groupBy(messages, ({ method }) => method);
  return Object.fromEntries(
    Object.entries(grouped).map(([method, group = []]) => [method, normalise(group.map(({ params = {} }) => params))]),
  );
}
