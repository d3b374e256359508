/** Defines the methods that concern the session itself. */
import type { SessionStore } from '@longhaul/sessions/gateway';
import { ProtocolError } from '@longhaul/mcp-features';
import { LoggingLevelSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { RpcCode } from '../../rpc/errors.js';
import type { SessionMethod } from '../requests/session-call.js';
import { parseParams } from '../../rpc/params.js';

export const ping: SessionMethod = { name: 'ping', kind: 'reads', handle: () => ({}) };

const LevelParams = z.object({ level: LoggingLevelSchema });

/** `logging/setLevel`: stored in the session, so that it applies at every gateway. */
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

/** `shutdown`: afterwards the session accepts only the notification `exit`, which ends it. */
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

/** `shutdown` without sessions. The process serves others as well, so a client just stops sending requests. */
export const shutDownNothing: SessionMethod = {
  name: 'shutdown',
  kind: 'reads',
  handle() {
    throw new ProtocolError(RpcCode.MethodNotFound, 'Method not found: shutdown ends a session, and this server keeps none.');
  },
};
