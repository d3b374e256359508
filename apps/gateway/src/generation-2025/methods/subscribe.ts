import { accountOfRequester } from '@longhaul/sessions/gateway';
import type { FeatureRegistry } from '@longhaul/mcp-features';
import { type SessionState, SUBSCRIPTIONS, subscriptionTo } from '@longhaul/sessions';
import { FIELD_LIMITS } from '@longhaul/tasks';
import { z } from 'zod';
import { invalidParams } from '../../rpc/errors.js';
import type { SessionMethod } from '../requests/session-call.js';
import { parseParams } from '../../rpc/params.js';

const Params = z.object({
  uri: z.string().refine((uri) => URL.canParse(uri), 'must be a URI'),
});

/** `resources/subscribe`: stored in the session, so that any process can notify it of changes. */
export function subscribe(state: SessionState, { watch }: Pick<FeatureRegistry, 'watch'>): SessionMethod {
  return {
    name: 'resources/subscribe',
    kind: 'acts',
    async handle({ params, session }) {
      const { uri } = parseParams(Params, params);
      const subscriptions = (await state.names(session.id, SUBSCRIPTIONS)).map((name) => name.slice(SUBSCRIPTIONS.length));
      const account = accountOfRequester(session);
      watch(uri, account);
      if (subscriptions.includes(uri)) return {};
      if (subscriptions.length >= FIELD_LIMITS.subscriptions)
        throw invalidParams(`A session can subscribe to at most ${FIELD_LIMITS.subscriptions} resources.`);
      const bytes = [...subscriptions, uri].reduce((sum, each) => sum + Buffer.byteLength(each), 0);
      if (bytes > FIELD_LIMITS.subscriptionBytes)
        throw invalidParams(`The URIs that a session is subscribed to may have at most ${FIELD_LIMITS.subscriptionBytes} bytes together.`);
      await state.set(session.id, subscriptionTo(uri), true, account);
      return {};
    },
  };
}

/** `resources/unsubscribe`; also succeeds without a subscription. */
export function unsubscribe(state: SessionState): SessionMethod {
  return {
    name: 'resources/unsubscribe',
    kind: 'acts',
    async handle({ params, session }) {
      const { uri } = parseParams(Params, params);
      await state.delete(session.id, subscriptionTo(uri));
      return {};
    },
  };
}
