/** Opens the stream of a session with GET, and ends the session with DELETE. */
import type { Session } from '@longhaul/sessions/gateway';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthenticatedRequest } from '../rpc/caller.js';
import { refusalOf, SHUTTING_DOWN } from '../rpc/errors.js';
import { held, type Holding } from '../rpc/held-request.js';
import { endSession, type SessionEnding } from './end-session.js';
import { checkStreamType, loadSession, requireSessionId, sessionNotFound } from './header-checks.js';
import type { ResumeStream } from './streams/resume-stream.js';
import type { StandaloneStreams } from './streams/standalone-streams.js';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** The parts that streams are opened with. */
interface GetStreamDeps extends Holding, Pick<SessionEnding, 'sessions'> {
  readonly standalone: StandaloneStreams;
  readonly resume: ResumeStream;
}

export function createGetStream({ sessions, standalone, resume, ...holding }: GetStreamDeps): Handler {
  return async ({ headers, raw }, reply) => {
    checkStreamType(headers);
    const load = async (): Promise<Session> => {
      const session = await loadSession(sessions, requireSessionId(headers), raw as AuthenticatedRequest);
      if (holding.closing.aborted) throw refusalOf(SHUTTING_DOWN);
      return session;
    };
    const lastEventId = headers['last-event-id'];
    if (typeof lastEventId !== 'string') return standalone.open(await load(), reply);
    await held(holding, reply.raw, async () => resume(await load(), lastEventId, reply));
    return undefined;
  };
}

export function createDeleteSession(ending: SessionEnding): Handler {
  return async ({ headers, raw }, reply) => {
    const session = await loadSession(ending.sessions, requireSessionId(headers), raw as AuthenticatedRequest);
    if (!(await endSession(ending, session))) throw sessionNotFound();
    return reply.code(200).send();
  };
}
