/** The methods that are about the session itself. */
import type { SessionStore } from '@longhaul/sessions/gateway';
import { ProtocolError } from '@longhaul/mcp-features';
import { LoggingLevelSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { RpcCode } from '../../rpc/errors.js';
import type { SessionMethod } from '../requests/session-call.js';
import { parseParams } from '../../rpc/params.js';

export const ping: SessionMethod = { name: 'ping', kind: 'reads', handle: () => ({}) };

const LevelParams = z.object({ level: LoggingLevelSchema });

/** `logging/setLevel`: kept in the session, so that it holds at every gateway. */
export function setLogLevel(sessions: SessionStore): SessionMethod {
  return {
    name: 'logging/setLevel',
    kind: 'acts',
    async handle({ params, session }) {
      const { level } = parseParams(LevelParams, params);
      await sessions.setLogLevel(session.id, level);
      return {};
    },
  };
}

/** `shutdown`: the session takes nothing any more but the notification `exit`, which ends it. */
export function shutDownSession(sessions: SessionStore): SessionMethod {
  return {
    name: 'shutdown',
    kind: 'acts',
    async handle({ session }) {
      await sessions.shutDown(session.id);
      return {};
    },
  };
}

/** `shutdown` where there are no sessions. The process serves others as well, so a client just stops to ask. */
export const shutDownNothing: SessionMethod = {
  name: 'shutdown',
  kind: 'reads',
  handle() {
    throw new ProtocolError(RpcCode.MethodNotFound, 'Method not found: shutdown ends a session, and this server keeps none.');
  },
};
