/** Asks the user to allow calls. */
import type { Approval, AskApproval } from '@longhaul/agent';
import type { Dialogue } from '../terminal/dialogue.js';
import { printableLine, visibleJson } from '@longhaul/runtime/printable';
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
      person.say(`The model wants to call ${onOneLine(tool.listed.name)} of ${onOneLine(tool.server)}:`);
      // In full: what is not seen cannot be allowed.
      person.say(visibleJson(args, JSON_INDENT).replaceAll(/^/gm, '  '));
      if (problem !== undefined) person.say(`Your arguments do not fit: ${problem}`);
      const answer = (await choose(person, 'Allow it?', ['yes', 'always', 'edit', 'no'])) ?? 'no';
      if (answer !== 'edit') return ANSWERS[answer];
      const typed = await person.ask('  Arguments: ', visibleJson(args));
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

/** A server may give a tool a name that looks like a question about another one, and a model may name any server. */
function onOneLine(name: string): string {
  return printableLine(name, MAX_NAME_CHARACTERS);
}

const ANSWERS: Readonly<Record<'yes' | 'always' | 'no', Approval>> = { yes: 'once', always: 'always', no: 'no' };
