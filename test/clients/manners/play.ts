/** Plays one client that calls a slow tool, with a model that follows what it reads. */
import type { Manner } from './manner.ts';
import { type Conversation, converse, type ModelsCall } from './model.ts';
import { connect, type OpenWire } from './played-client.ts';

const PAUSE_MS = 5_000;

/** What came of it. */
export interface Outcome extends Conversation {
  /** The questions that the client itself has asked its user. */
  readonly asked: readonly string[];
  /** Whether the call took longer than the client waits without progress. */
  readonly isKeptByProgress: boolean;
}

/** @param pace by what all times are divided. @throws Error when the result does not come */
export async function play(manner: Manner, openWire: OpenWire, pace: number, call: ModelsCall, answers: object = {}): Promise<Outcome> {
  const client = await connect(manner, { openWire, pace, answers: { ...answers } });
  const began = performance.now();
  try {
    const tool = client.shown.find((name) => name.endsWith(call.tool));
    if (tool === undefined) throw new Error(`${manner.title} shows no ${call.tool}, only ${client.shown.join(', ')}.`);
    const conversation = await converse(client, { ...call, tool }, PAUSE_MS / pace);
    const { limit } = manner;
    const isKeptByProgress = conversation.arrival === 'answer' && limit !== undefined && performance.now() - began > limit.ms / pace;
    return { ...conversation, asked: client.asked, isKeptByProgress };
  } finally {
    await client.close();
  }
}
