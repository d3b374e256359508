/** Checks the answer of an agent. */
import { isDeepStrictEqual } from 'node:util';
import { linearPattern } from '@longhaul/runtime/linear-pattern';
import { isJsonObject, type Json, type JsonObject } from '@longhaul/tasks';
import { shortened } from '@longhaul/tasks/text';
import type { Message } from '../conversation/messages.js';
import { answerData } from '../loop/answer-data.js';
import { answerSchemaQuestion } from '../loop/output-schema.js';
import type { EvalCheck } from './eval-file.js';

/** Of an answer, what a failure shows. */
const MAX_SHOWN = 300;

/** What an agent has answered. */
export interface CheckedAnswer {
  readonly outcome: string;
  readonly answer: string;
  readonly transcript: readonly Message[];
}

/** Asks a model whether an answer is as it should be. */
export type Judge = (criterion: string, model: string | undefined) => Promise<{ readonly passed: boolean; readonly reason: string }>;

/** @returns why the answer does not pass; nothing if it does */
export async function checkAnswer(check: EvalCheck, checked: CheckedAnswer, judge: Judge): Promise<string | undefined> {
  if (check.kind === 'outcome')
    return checked.outcome === check.outcome ? undefined : `the outcome is ${checked.outcome}, and should be ${check.outcome}`;
  if (check.kind === 'judge') {
    const { passed, reason } = await judge(check.judge, check.model);
    return passed ? undefined : `the judge: ${reason}`;
  }
  const { isSo, what } = await finding(check, checked);
  if (isSo !== (check.not === true)) return undefined;
  const seen = check.kind === 'calls' ? `it calls ${shownCalls(checked)}` : `it is ${JSON.stringify(shortened(checked.answer, MAX_SHOWN))}`;
  return check.not === true ? `should not ${what}, and does` : `should ${what}, and does not: ${seen}`;
}

type Plain = Exclude<EvalCheck, { readonly kind: 'outcome' | 'judge' }>;

async function finding(check: Plain, checked: CheckedAnswer): Promise<{ readonly isSo: boolean; readonly what: string }> {
  const { answer } = checked;
  switch (check.kind) {
    case 'contains':
      return { isSo: answer.includes(check.contains), what: `contain ${JSON.stringify(check.contains)}` };
    case 'equals':
      return { isSo: answer.trim() === check.equals.trim(), what: `equal ${JSON.stringify(check.equals)}` };
    case 'matches':
      return { isSo: linearPattern(check.matches).test(answer), what: `match ${check.matches}` };
    case 'json': {
      const read = await answerData(answer, {}, async () => ({}));
      return { isSo: 'data' in read && isDeepStrictEqual(read.data, check.json), what: `be the JSON ${JSON.stringify(check.json)}` };
    }
    case 'fits': {
      // The schema is that of the user who runs it.
      const read = await answerData(answer, check.fits, async (question) => answerSchemaQuestion(question));
      return { isSo: 'data' in read, what: `fit the schema${'problem' in read ? ` (${read.problem})` : ''}` };
    }
    case 'calls': {
      const { calls: name, arguments: args = {}, times } = check;
      const count = callsIn(checked).filter((call) => call.name === name && hasAll(call.arguments, args)).length;
      const isSo = times === undefined ? count > 0 : count === times;
      const shown = Object.keys(args).length === 0 ? '' : ` with ${JSON.stringify(args)}`;
      return { isSo, what: `call ${name}${shown}${times === undefined ? '' : `, ${times} times`}` };
    }
  }
}

function callsIn({ transcript }: CheckedAnswer): readonly { readonly name: string; readonly arguments: Json | undefined }[] {
  return transcript.flatMap((message) =>
    message.role === 'assistant'
      ? (message.tool_calls ?? []).map(({ function: { name, arguments: text } }) => ({ name, arguments: jsonIn(text) }))
      : [],
  );
}

function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined; // The model wrote no JSON: such a call has no arguments that could be compared.
  }
}

/** Whether the arguments have all of the wanted members. */
function hasAll(given: Json | undefined, wanted: JsonObject): boolean {
  const args = isJsonObject(given) ? given : {};
  return Object.entries(wanted).every(([name, value]) => isDeepStrictEqual(args[name], value));
}

function shownCalls(checked: CheckedAnswer): string {
  const calls = callsIn(checked).map(({ name, arguments: args }) => `${name} ${JSON.stringify(args)}`);
  return calls.length === 0 ? 'nothing' : shortened(calls.join(', '), MAX_SHOWN);
}
