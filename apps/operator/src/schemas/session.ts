import { z } from 'zod';
import { omitUndefined } from '@longhaul/mcp-features';
import type { HeldSession } from '../principals/sessions-of-principal.js';
import { Time, timeOf } from './common.js';

/** An open session, as operators see it. */
export const Session = z
  .object({
    session: z.string().describe('A hash of its id, as traces have it (`mcp.session.id`).'),
    owner: z.string(),
    openedAt: Time,
    expiresAt: Time.describe('When it ends unless it is used.'),
  })
  .meta({ id: 'Session' });

/** A session as it is shown. */
export function shownSession({ owner, open: { session, openedAt, expiresAt } }: HeldSession): z.infer<typeof Session> {
  return omitUndefined({
    session,
    owner,
    openedAt: timeOf(openedAt),
    expiresAt: timeOf(expiresAt),
  });
}
