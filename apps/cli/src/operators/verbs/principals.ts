/** Implements `principals list`, `show`, `revoke` and `restore`. */
import type { Holdings, Principal, Revocation, Revoked } from '@longhaul/operator';
import { UserError } from '../../user-error.js';
import { EXIT } from '../api/exit-codes.js';
import { reasonOf, timeFlagOf } from '../command-line/flags.js';
import type { Given } from '../../command-line/command.js';
import type { VerbContext } from '../command-line/verb.js';
import { sessionText } from '../output/texts.js';

/** `principals list`. */
export async function listRevoked({ api, output }: VerbContext): Promise<number> {
  const answer = await api.get<{ revocations: readonly Revocation[] }>('/principals/revoked');
  output.list(
    answer.revocations,
    [
      { title: 'WHO', width: 80, text: ({ principal }) => principalText(principal) },
      { title: 'SINCE', text: ({ at }) => at },
      { title: 'TOKENS BEFORE', text: ({ issuedBefore }) => issuedBefore ?? 'all' },
      { title: 'BY', text: ({ by }) => by },
      { title: 'REASON', width: 60, text: ({ reason }) => reason },
    ],
    answer,
  );
  return EXIT.ok;
}

/** `principals show`. */
export async function showPrincipal({ api, given, output }: VerbContext): Promise<number> {
  const principal = principalOf(given);
  const holdings = await api.post<Holdings>('/principals/holdings', { principal });
  const { tasks, openSessions, sessions, owners, revocations } = holdings;
  output.details(holdings, [
    ...Object.entries(tasks).map(([status, count]) => [`tasks ${status}`, String(count)] as const),
    ['sessions open', String(openSessions)],
    ...owners.map((owner) => ['owner', owner] as const),
    ...sessions.map((session) => ['session', `${sessionText(session)}, of ${session.owner}`] as const),
    ['revoked', revocations.length === 0 ? 'no' : revocations.map(({ at, by, reason }) => `since ${at} by ${by}: ${reason}`).join('; ')],
  ]);
  return EXIT.ok;
}

/** `principals revoke`. */
export async function revokePrincipal({ api, given, output }: VerbContext): Promise<number> {
  const issuedBefore = timeFlagOf(given, 'issued-before');
  const body = { principal: principalOf(given), reason: reasonOf(given), ...(issuedBefore !== undefined && { issuedBefore }) };
  const answer = await api.post<Revoked>('/principals/revoke', body);
  const { cancelledTasks, failedTasks } = answer;
  const failed = failedTasks === 0 ? '' : `; tasks that could not be cancelled: ${failedTasks}, see the log`;
  output.say(`${principalText(answer.revocation.principal)} is revoked; tasks cancelled: ${cancelledTasks}${failed}`, answer);
  return failedTasks === 0 ? EXIT.ok : EXIT.error;
}

/** `principals restore`. */
export async function restorePrincipal({ api, given, output }: VerbContext): Promise<number> {
  const principal = principalOf(given);
  await api.post('/principals/restore', { principal, reason: reasonOf(given) });
  output.say(`${principalText(principal)} is let in again`, { principal });
  return EXIT.ok;
}

/** The principal that the flags name. @throws UserError */
function principalOf(given: Given): Principal {
  const named = Object.fromEntries(
    ['name', 'issuer', 'tenant', 'subject'].flatMap((flag) => {
      const value = given.value(flag);
      return value === undefined ? [] : [[flag, value]];
    }),
  ) as Principal;
  if ((named.name === undefined) === (named.issuer === undefined))
    throw new UserError('--name names the holder of a static token, --issuer with --subject or --tenant those of an issuer', EXIT.usage);
  return named;
}

function principalText({ name, issuer, tenant, subject }: Principal): string {
  if (name !== undefined) return name;
  return [subject ?? 'everyone', ...(tenant === undefined ? [] : [`of tenant ${tenant}`]), `of ${issuer ?? ''}`].join(' ');
}
