/**
 * What the clients' suite calls: one feature for each scenario. Gateways and workers load this file through
 * `LONGHAUL_FEATURES`, so it has only types that Node strips.
 */
import { env } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { definePrompt, defineResource, defineTool, type DurableContext } from '@longhaul/mcp-features';
import { z } from 'zod';

const HOUR_MS = 3_600_000;
const BEGIN_MS = 1_000;
const PAUSE_MS = 150;
const POLL_INTERVAL_MS = 100;
const SELDOM_MS = 1_500;
const LANGUAGES = ['PHP', 'Python', 'Rust'];
const WATCHED = 'suite://watched';

const Name = z.object({ name: z.string() });
const City = z.object({ city: z.string() });
const nothing = z.object({});

/** Has the suite do something. */
async function ask(what: string): Promise<void> {
  const { ok } = await fetch(new URL(what, env['CLIENTS_SUITE_URL']), { method: 'POST' });
  if (!ok) throw new Error(`The suite did not do this: ${what}`);
}

const greet = defineTool({
  name: 'suite-greet',
  description: 'Greets.',
  input: Name,
  run: ({ name }) => `Hello, ${name}!`,
});

const version = defineTool({
  name: 'suite-version',
  description: 'Returns the version of the protocol that the client speaks.',
  input: nothing,
  run: (_, context) => context.client.protocolVersion,
});

const add = defineTool({
  name: 'suite-add',
  description: 'Adds two numbers.',
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  run: ({ a, b }) => ({ sum: a + b }),
});

const count = defineTool({
  name: 'suite-count',
  description: 'Counts to three, with progress.',
  input: nothing,
  async run(_, context) {
    for (const progress of [1, 2, 3]) {
      context.progress({ progress, total: 3 });
      // Some clients forget reports that they read together with the result.
      await wait(PAUSE_MS);
    }
    return 'Counted to 3.';
  },
});

const question = defineTool({
  name: 'suite-ask',
  description: 'Asks the user for a name, within the request.',
  input: nothing,
  async run(_, context) {
    const answer = await context.elicit(Name, 'What is your name?');
    return answer.action === 'accept' ? `Hello, ${answer.content.name}!` : `No name: ${answer.action}`;
  },
});

const sample = defineTool({
  name: 'suite-sample',
  description: "Has the client's model say something, within the request.",
  input: nothing,
  needs: ['sampling'],
  async run(_, context) {
    const { content } = await context.sample('Say a word.');
    return `The model said: ${content.type === 'text' ? content.text : content.type}`;
  },
});

const touch = defineTool({
  name: 'suite-touch',
  description: 'Notifies all subscribers that the watched resource has changed.',
  input: nothing,
  run(_, context) {
    context.everyone.resourceUpdated(WATCHED);
    return 'Touched.';
  },
});

const deliver = defineTool({
  name: 'suite-deliver',
  description: 'A task that asks where to.',
  input: nothing,
  task: 'optional',
  pollIntervalMs: POLL_INTERVAL_MS,
  async run(_, context) {
    const answer = await context.elicit(City, 'Which city?');
    return answer.action === 'accept' ? `Delivered to ${answer.content.city}.` : `Not delivered: ${answer.action}`;
  },
});

const linger = defineTool({
  name: 'suite-linger',
  description: 'A task that takes an hour.',
  input: nothing,
  task: 'optional',
  pollIntervalMs: POLL_INTERVAL_MS,
  async run(_, context) {
    await context.sleep('linger', HOUR_MS);
    return 'Lingered.';
  },
});

const outlive = defineTool({
  name: 'suite-outlive',
  description: 'Has every gateway killed, and ends when that is done.',
  input: nothing,
  task: 'optional',
  // So seldom that hardly ever a request about the task is what breaks.
  pollIntervalMs: SELDOM_MS,
  async run(_, context) {
    // By then the client has the begin of the answer, without which it could not ask for the rest.
    await context.sleep('begin', BEGIN_MS);
    await context.step('kill', () => ask('kill'));
    return 'Outlived the gateways.';
  },
});

/** What works for some time, so long that most clients do not wait for it. The suite counts how often the work has begun. */
const Work = z.object({ who: z.string(), ms: z.number() });
const Done = z.object({ done: z.string() });

/** Has the suite count a work, and notifies it when that is recorded: from then on no failure lets the work begin again. */
async function begin(context: Pick<DurableContext, 'step'>, who: string): Promise<void> {
  await context.step('begin', () => ask(`began/${encodeURIComponent(who)}`));
  await context.step('recorded', () => ask(`recorded/${encodeURIComponent(who)}`));
}

const long = defineTool({
  name: 'suite-long',
  description: 'Works for some time.',
  input: Work,
  output: Done,
  task: 'optional',
  pollIntervalMs: POLL_INTERVAL_MS,
  async run({ who, ms }, context) {
    await begin(context, who);
    await context.sleep('work', ms);
    return { content: [{ type: 'text', text: `Done for ${who}.` }], structuredContent: { done: who } };
  },
});

const longAsk = defineTool({
  name: 'suite-long-ask',
  description: 'Works for some time, and asks where to in the middle.',
  input: Work,
  output: Done,
  task: 'optional',
  pollIntervalMs: POLL_INTERVAL_MS,
  async run({ who, ms }, context) {
    await begin(context, who);
    await context.sleep('half', ms / 2);
    const answer = await context.elicit(City, 'Which city?');
    const city = answer.action === 'accept' ? answer.content.city : answer.action;
    await context.sleep('other half', ms / 2);
    return { content: [{ type: 'text', text: `Done for ${who} in ${city}.` }], structuredContent: { done: `${who} in ${city}` } };
  },
});

const note = defineResource({
  uri: 'suite://note',
  name: 'suite-note',
  description: 'A text.',
  mimeType: 'text/plain',
  read: () => 'A note.',
});

const watched = defineResource({
  uri: WATCHED,
  name: 'suite-watched',
  description: 'A resource to subscribe to.',
  mimeType: 'text/plain',
  read: () => 'Watched.',
});

const review = definePrompt({
  name: 'suite-review',
  description: 'Asks for a review.',
  arguments: z.object({ language: z.string() }),
  complete: { language: (value) => LANGUAGES.filter((language) => language.startsWith(value)) },
  run: ({ language }) => `Review this ${language} code.`,
});

/** Read by `loadFeatures`. */
export const features = [
  version,
  greet,
  add,
  count,
  question,
  sample,
  touch,
  deliver,
  linger,
  outlive,
  long,
  longAsk,
  note,
  watched,
  review,
];
