import type { Webhook } from '@longhaul/operator';
import { limitOf } from '../command-line/flags.js';
import type { VerbContext } from '../command-line/verb.js';
import { age } from '../output/texts.js';

/** `webhooks`. */
export async function listWebhooks({ api, given, output }: VerbContext): Promise<number> {
  const query = { status: given.value('status'), limit: limitOf(given) };
  const answer = await api.get<{ webhooks: readonly Webhook[] }>('/webhooks', query);
  output.list(
    answer.webhooks,
    [
      { title: 'TASK', text: ({ taskId }) => taskId },
      { title: 'TOOL', width: 20, text: ({ tool }) => tool },
      { title: 'ENDPOINT', width: 20, text: ({ endpoint }) => endpoint },
      { title: 'EVENT', text: ({ event }) => event },
      { title: 'DUE', text: ({ dueAt }) => `${age(dueAt)} ago` },
      { title: 'STATUS', width: 60, text: webhookText },
    ],
    answer,
  );
  return 0;
}

/** What became of a webhook, in words. */
export function webhookText({ status, tries, problem, nextAt }: Omit<Webhook, 'taskId' | 'tool'>): string {
  const tried = tries === 1 ? 'after 1 try' : `after ${tries} tries`;
  if (status === 'pending') return 'waits';
  if (status === 'delivered') return tries === 1 ? 'delivered' : `delivered ${tried}`;
  const why = problem === undefined ? '' : `: ${problem}`;
  if (status === 'given-up') return `given up ${tried}${why}`;
  return `fails ${tried}${why}${nextAt === undefined ? '' : `; next try at ${nextAt}`}`;
}
