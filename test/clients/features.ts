/**
 * What the clients' suite calls: one feature for each scenario. Gateways and workers load this file through
 * `LONGHAUL_FEATURES`, so it has only types that Node strips.
 */
import { env } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { definePrompt, defineResource, defineTool } from '@longhaul/mcp-features';
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

const ask = defineTool({
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
    await context.step('kill', async () => {
      const { ok } = await fetch(env['CLIENTS_SUITE_KILL_URL'] ?? '', { method: 'POST' });
      if (!ok) throw new Error('The gateways were not killed.');
    });
    return 'Outlived the gateways.';
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
export const features = [version, greet, add, count, ask, sample, touch, deliver, linger, outlive, note, watched, review];
