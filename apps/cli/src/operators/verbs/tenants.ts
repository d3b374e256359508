/** Implements `tenants` and `owner`: the limits of tenants, and the use by owners. */
import type { OwnerLimitsAndUse, Tenant, TenantList, TenantSettings } from '@longhaul/operator';
import { UserError } from '../../user-error.js';
import { EXIT } from '../api/exit-codes.js';
import { reasonOf } from '../command-line/flags.js';
import type { Given } from '../../command-line/command.js';
import type { VerbContext } from '../command-line/verb.js';
import { sessionText } from '../output/texts.js';

/** `tenants`. */
export async function listTenants({ api, output }: VerbContext): Promise<number> {
  const answer = await api.get<TenantList>('/tenants');
  output.list(
    [{ name: '(all others)', settings: answer.default }, ...answer.tenants],
    [
      { title: 'TENANT', text: ({ name }) => name },
      { title: 'WHAT HOLDS', width: 120, text: ({ settings }) => textOf(settings) },
      { title: 'BY OPERATORS', width: 80, text: ({ override }) => override && textOf(override) },
    ],
    answer,
  );
  return 0;
}

/** `tenants set`: what is not named stays. */
export async function setTenant({ api, given, output }: VerbContext): Promise<number> {
  const path = pathOf(given);
  const named = settingsOf(given.words.slice(1));
  const reason = reasonOf(given);
  const tenant = await api.patch<Tenant>(path, { settings: named, reason });
  output.say(`${tenant.name}: ${textOf(tenant.settings)}`, tenant);
  return 0;
}

/** `tenants reset`. */
export async function resetTenant({ api, given, output }: VerbContext): Promise<number> {
  const tenant = await api.delete<Tenant>(pathOf(given), { reason: reasonOf(given) });
  output.say(`${tenant.name}: ${textOf(tenant.settings)}`, tenant);
  return 0;
}

/** `owner`. */
export async function showOwner({ api, given, output }: VerbContext): Promise<number> {
  const answer = await api.get<OwnerLimitsAndUse>('/owners/limits', { owner: given.words[0] });
  const { tenant, limits, used, sessions } = answer;
  output.details(answer, [
    ['tenant', tenant],
    ['unfinished tasks', ofLimit(used.unfinishedTasks, limits.unfinishedTasks)],
    ['tasks in this minute', ofLimit(used.tasksInMinute, limits.tasksPerMinute)],
    ['bytes of histories', ofLimit(used.historyBytes, limits.historyBytes)],
    ['open sessions', ofLimit(used.openSessions, limits.openSessions)],
    ['spent', spentText(used.spent)],
    ...sessions.map((session) => ['session', sessionText(session)] as const),
  ]);
  return 0;
}

function spentText({ cost, tokens }: OwnerLimitsAndUse['used']['spent']): string | undefined {
  return (
    [cost?.toString(), tokens === undefined ? undefined : `${tokens} tokens`].filter((part) => part !== undefined).join(', ') || undefined
  );
}

function ofLimit(used: number, limit: number | null): string {
  return limit === null ? `${used}, no limit` : `${used} of ${limit}`;
}

function textOf(settings: TenantSettings): string {
  const said = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  return said.length === 0 ? 'what is configured' : said.join(' ');
}

function pathOf({ words: [tenant = ''] }: Given): string {
  if (tenant.includes('=')) throw new UserError('name a tenant first', EXIT.usage);
  return `/tenants/${encodeURIComponent(tenant)}`;
}

/** @throws UserError for what cannot be read; whether it fits is checked by the operator API */
function settingsOf(words: readonly string[]): TenantSettings {
  const settings: Record<string, number | null> = {};
  for (const word of words) {
    const [, name, value] = /^(\w+)=(\d+|null)$/.exec(word) ?? [];
    if (name === undefined || value === undefined)
      throw new UserError(`${word}: must be NAME=NUMBER, or NAME=null for no limit`, EXIT.usage);
    settings[name] = value === 'null' ? null : Number(value);
  }
  return settings;
}
