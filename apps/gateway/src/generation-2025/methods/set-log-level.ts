import { LoggingLevelSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { SessionStore } from '../../state/session.js';
import type { Method } from '../../rpc/method.js';
import { parseParams } from '../../rpc/params.js';

const Params = z.object({ level: LoggingLevelSchema });

/** `logging/setLevel`: kept in the session, so that it holds at every gateway. */
export function setLogLevel(sessions: SessionStore): Method {
  return {
    name: 'logging/setLevel',
    kind: 'acts',
    async handle({ params, session }) {
      const { level } = parseParams(Params, params);
      await sessions.setLogLevel(session.id, level);
      return {};
    },
  };
}
