import { z } from 'zod';
import { omitUndefined } from '@longhaul/mcp-features';
import { Time, timeOf } from './common.js';
/** An open session, as operators see it. */
export const Session = z
    .object({
    session: z.string().describe('A hash of its id, as traces have it (`mcp.session.id`).'),
    owner: z.string(),
    openedAt: Time.optional(),
    expiresAt: Time.describe('When it is over unless somebody uses it.'),
})
    .meta({ id: 'Session' });
/** A session as it is shown. */
export function shownSession({ owner, open: { session, openedAt, expiresAt } }) {
    return omitUndefined({
        session,
        owner,
        openedAt: openedAt === undefined ? undefined : timeOf(openedAt),
        expiresAt: timeOf(expiresAt),
    });
}
//# sourceMappingURL=session.js.map