/** Asks the user to allow calls. */
import type { Approval, AskApproval } from '@longhaul/agent';
import type { Dialogue } from '../terminal/dialogue.js';
import { printableLine } from '@longhaul/runtime/printable';
import { choose } from './choose.js';

const JSON_INDENT = 2;
const MAX_NAME_CHARACTERS = 200;

/** How approvals are given, and whether one was not. */
export interface Approvals {
  readonly ask: AskApproval;
  /** Whether anything has been refused since it was asked for the last time. */
  takeRefused(): boolean;
}

/** @param approvesAll whether everything is allowed without asking. Otherwise, without a user to ask, nothing is allowed. */
export function approvalsOf(dialogue: Dialogue, approvesAll: boolean): Approvals {
  let wasRefused = false;
  const ask: AskApproval = async ({ tool, arguments: args }, signal, problem) => {
    if (approvesAll) return 'once';
    if (!dialogue.canAsk) {
      dialogue.say(`${tool.name} is not allowed: there is no terminal to ask at (--yes allows every call)`);
      return 'no';
    }
    return dialogue.questions(signal, async (person) => {
      // On one line: a server may give a tool a name that looks like a question about another one.
      person.say(`The model wants to call ${printableLine(tool.listed.name, MAX_NAME_CHARACTERS)} of ${tool.server}:`);
      // In full: what is not seen cannot be allowed.
      person.say(JSON.stringify(args, undefined, JSON_INDENT).replaceAll(/^/gm, '  '));
      if (problem !== undefined) person.say(`Your arguments do not fit: ${problem}`);
      const answer = (await choose(person, 'Allow it?', ['yes', 'always', 'edit', 'no'])) ?? 'no';
      if (answer !== 'edit') return ANSWERS[answer];
      const typed = await person.ask('  Arguments: ', plainJson(args));
      return typed === undefined ? 'no' : { arguments: typed, isAlways: false };
    });
  };
  return {
    async ask(request, signal, problem) {
      const approval = await ask(request, signal, problem);
      if (approval === 'no') wasRefused = true;
      return approval;
    },
    takeRefused() {
      const taken = wasRefused;
      wasRefused = false;
      return taken;
    },
  };
}

/** On one line, with the characters escaped that would act on the terminal. */
function plainJson(args: object): string {
  return JSON.stringify(args).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    [...Array(character.length).keys()].map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}

const ANSWERS: Readonly<Record<'yes' | 'always' | 'no', Approval>> = { yes: 'once', always: 'always', no: 'no' };
