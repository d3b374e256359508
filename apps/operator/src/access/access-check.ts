/** Checks who makes a request, and whether they may make it: tokens, the cookie of a login, and the origin of a page. */
import { createHostCheck, createHostList, type HostProblem } from '@longhaul/runtime/host-check';
import { bearerTokenOf } from '@longhaul/runtime/tokens';
import { cutText } from '@longhaul/tasks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refused } from '../http/problems.js';
import type { Door, Operator } from './door.js';

/** The cookie of a login. */
export const SESSION_COOKIE = 'longhaul_operator';

const MAX_SHOWN_BYTES = 200;
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

declare module 'fastify' {
  interface FastifyRequest {
    /** The sender of the request. Set for all routes but those that are open to everyone. */
    operator: Operator | undefined;
  }
  interface FastifyContextConfig {
    /** Whether the route is open without a login. */
    isOpen?: boolean;
    /** Whether readers may call it although its method usually changes something. */
    isForReaders?: boolean;
    /** Whether holders of the role `start` may call it. */
    isForServices?: boolean;
  }
}

/** The parts of the access check. */
export interface AccessCheckOptions {
  /** Absent if all requests come from this process. */
  readonly door: Door | undefined;
  /** The operator for requests of this process. */
  readonly local: Operator | undefined;
  readonly host: string;
  readonly allowedHosts: readonly string[];
}

/** Checks all requests before any other code handles them. */
export function checkAccess(app: FastifyInstance, { door, local, host, allowedHosts }: AccessCheckOptions): void {
  // If all hosts are served, pages of all hosts are accepted.
  const findHostProblem = createHostCheck({ host, allowedHosts, allowedOrigins: allowedHosts.filter((name) => name === '*') });
  const isOwnPage = ownPageCheck(allowedHosts);
  app.decorateRequest('operator', undefined);
  app.addHook('onRequest', async (request) => {
    const problem = findHostProblem(request.raw);
    if (problem !== undefined) throw refusedHost(problem);
    // A page of another server on this machine may not even end a login.
    requireOwnPage(request, isOwnPage);
    if (request.routeOptions.config.isOpen === true) return;
    const operator = local ?? (door && (await operatorOf(request, door)));
    if (operator === undefined) throw new Refused(401, 'UNAUTHORIZED', 'A token is required: Authorization: Bearer …, or POST /login.');
    request.operator = operator;
    if (operator.role === 'start' && request.routeOptions.config.isForServices !== true) throw forOperators(operator);
    if (operator.role === 'read' && !READS.has(request.method) && request.routeOptions.config.isForReaders !== true)
      throw new Refused(403, 'READ_ONLY', `The token of ${operator.name} may read only; this takes one with the role "operate".`);
  });
}

/** The refusal of a program whose token only starts tools. */
export function forOperators({ name }: Operator): Refused {
  return new Refused(403, 'FOR_OPERATORS', `The token of ${name} starts tools, and follows what it has started; this is for operators.`);
}

/** The sender of the request. @throws Refused 401 */
export function requireOperator(operator: Operator | undefined): Operator {
  if (operator === undefined) throw new Refused(401, 'UNAUTHORIZED', 'A token is required.');
  return operator;
}

/** @throws Refused 403 for a page that may not use the login of its browser */
function requireOwnPage({ headers }: FastifyRequest, isOwnPage: IsOwnPage): void {
  const { authorization, origin, host } = headers;
  if (authorization !== undefined || origin === undefined || sessionOf(headers) === undefined) return;
  if (!isOwnPage(origin, host)) throw refusedHost({ kind: 'origin', value: origin });
}

async function operatorOf({ headers, ip }: FastifyRequest, door: Door): Promise<Operator | undefined> {
  const { authorization } = headers;
  if (authorization === undefined) {
    const session = sessionOf(headers);
    return session === undefined ? undefined : door.bySession(session, Date.now());
  }
  const token = bearerTokenOf(authorization);
  const operator = token === undefined ? undefined : door.byToken(token, ip);
  if (operator === undefined) throw new Refused(401, 'UNAUTHORIZED', 'The token is not known.');
  return operator;
}

/** Whether a page may use the login of this port. */
type IsOwnPage = (origin: string, host: string | undefined) => boolean;

/**
 * Browsers send cookies to all ports of a machine, but a page of another server on it may not use the login of this page. So the names that
 * every machine has for itself count only with the port of this server, unless they are listed.
 */
function ownPageCheck(allowedHosts: readonly string[]): IsOwnPage {
  const isListed = createHostList(allowedHosts);
  const isAny = allowedHosts.includes('*');
  return (origin, host) => {
    const from = URL.canParse(origin) ? new URL(origin).host : '';
    return isAny || (from !== '' && (from === host?.toLowerCase() || isListed(from)));
  };
}

/** The value of the cookie of a login. */
export function sessionOf({ cookie }: FastifyRequest['headers']): string | undefined {
  for (const part of cookie?.split(';') ?? []) {
    const [name, value] = part.trim().split('=', 2);
    if (name === SESSION_COOKIE) return value;
  }
  return undefined;
}

function refusedHost({ kind, value }: HostProblem): Refused {
  const shown = JSON.stringify(cutText(value, MAX_SHOWN_BYTES));
  switch (kind) {
    case 'two hosts':
      return new Refused(400, 'TWO_HOSTS', 'The header Host came more than once.');
    case 'host':
      return new Refused(403, 'HOST_NOT_SERVED', `Host ${shown} is not served here. LONGHAUL_OPS_ALLOWED_HOSTS names the ones that are.`);
    case 'origin':
      return new Refused(
        403,
        'ORIGIN_NOT_ALLOWED',
        `Origin ${shown} is not allowed. LONGHAUL_OPS_ALLOWED_HOSTS names the hosts whose pages are.`,
      );
  }
}
