/** Asks the user the questions of servers. */
import type { ElicitRequestParams, ElicitRequestURLParams, ElicitResult } from '@modelcontextprotocol/client';
import { fillForm } from '../form/fill-form.js';
import type { Dialogue, Person } from '../terminal/dialogue.js';
import { choose } from './choose.js';

/** Asks on the terminal what a server asks; without one, the question is declined. @throws the reason of the signal */
export async function answerElicitation(
  params: ElicitRequestParams,
  { dialogue, server, signal }: { readonly dialogue: Dialogue; readonly server: string; readonly signal: AbortSignal },
): Promise<ElicitResult> {
  if (!dialogue.canAsk) {
    dialogue.say(`${server} asks "${params.message}", which is declined: there is no terminal to ask at`);
    return { action: 'decline' };
  }
  return dialogue.questions(signal, (person) => {
    person.say(`${server} asks: ${params.message}`);
    if (isUrl(params)) return visit(params, person);
    person.say('  (/decline or /cancel instead of an answer)');
    return fillForm(params.requestedSchema, person);
  });
}

function isUrl(params: ElicitRequestParams): params is ElicitRequestURLParams {
  return params.mode === 'url';
}

/** The user opens the page; nothing that is typed there comes by here. */
async function visit({ url }: ElicitRequestURLParams, person: Person): Promise<ElicitResult> {
  const { protocol, host } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') {
    person.say(`  It wants a page at ${protocol}, which is no web page: declined.`);
    return { action: 'decline' };
  }
  // The address as the browser will have it: letters that only look like others are not hidden.
  person.say(`  Page:   ${new URL(url).href}`);
  person.say(`  Server: ${host}`);
  const word = await choose(person, '  Open the page in your browser, and say whether you did.', ['yes', 'no', 'cancel']);
  return { action: word === 'yes' ? 'accept' : word === 'no' ? 'decline' : 'cancel' };
}
