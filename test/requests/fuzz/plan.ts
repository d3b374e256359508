/** What is sent, as data: a right message, and what is done to it. A seed gives the same plans each time. */
import * as fc from 'fast-check';
import { LISTEN_MESSAGES, type MessageOf, MODERN_MESSAGES, SESSION_MESSAGES, SLOW_SESSION_MESSAGES } from './messages.js';
import {
  type BytesMutation,
  bytesMutation,
  type HeaderMutation,
  headerMutation,
  type JsonMutation,
  jsonMutation,
  mutated,
  spoilt,
  withHeader,
} from './mutations.js';
import { modernHeaders, sessionHeaders, type World, type WorldSession } from './world.js';
import type { Sent } from './wire.js';
import { isJsonObject } from '@longhaul/tasks';

const GROUPS = { session: SESSION_MESSAGES, slow: SLOW_SESSION_MESSAGES, modern: MODERN_MESSAGES, listen: LISTEN_MESSAGES } as const;

/** One request. */
export interface Plan {
  readonly group: keyof typeof GROUPS;
  /** Which message of the group. */
  readonly message: number;
  /** Which session, task, cursor and so on. */
  readonly n: number;
  readonly id: unknown;
  readonly json: readonly JsonMutation[];
  readonly bytes: readonly BytesMutation[];
  readonly headers: readonly HeaderMutation[];
  /** How many of it are sent as a batch. */
  readonly batch: number | undefined;
  readonly http: HttpPlan;
}

interface HttpPlan {
  readonly method: string;
  readonly path: string;
  readonly hasBody: boolean;
  readonly hangsUp: boolean;
}

const id = fc.oneof(
  { weight: 20, arbitrary: fc.oneof(fc.nat(), fc.string({ minLength: 1, maxLength: 20 })) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, '', 0, -1, 1.5, 2 ** 53, true, {}, [], '\0', '\ud800', 'x'.repeat(5_000)) },
  { weight: 1, arbitrary: fc.constant(undefined) },
);

const few = <T>(arbitrary: fc.Arbitrary<T>, weight: number, most: number): fc.Arbitrary<readonly T[]> =>
  fc.oneof({ weight: 10, arbitrary: fc.constant([]) }, { weight, arbitrary: fc.array(arbitrary, { minLength: 1, maxLength: most }) });

const http: fc.Arbitrary<HttpPlan> = fc.oneof(
  { weight: 60, arbitrary: fc.constant({ method: 'POST', path: '', hasBody: true, hangsUp: false }) },
  {
    weight: 3,
    arbitrary: fc.record({
      method: fc.constantFrom('GET', 'GET', 'DELETE', 'HEAD', 'PUT', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'POST'),
      path: fc.constantFrom('', '', '', '?x=1', '/', '/../mcp', '%00', '//', '#x', '/..%2f'),
      hasBody: fc.boolean(),
      hangsUp: fc.constant(false),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ method: 'POST', path: '', hasBody: true, hangsUp: true }) },
);

const plan: fc.Arbitrary<Plan> = fc.record({
  group: fc.oneof(
    { weight: 95, arbitrary: fc.constantFrom<Plan['group']>('session', 'modern') },
    { weight: 5, arbitrary: fc.constantFrom<Plan['group']>('slow', 'listen', 'listen') },
  ),
  message: fc.nat(1_000),
  n: fc.nat(1_000),
  id,
  json: few(jsonMutation, 20, 3),
  bytes: few(bytesMutation, 2, 2),
  headers: few(headerMutation, 4, 3),
  batch: fc.oneof({ weight: 30, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(0, 1, 2, 5, 101) }),
  http,
});

export function plansOf(seed: number, count: number): Plan[] {
  return fc.sample(plan, { seed, numRuns: count });
}

/** A request that is ready to go. */
export interface Prepared {
  readonly sent: Sent;
  /** The session that it names, as far as no mutation has changed that. */
  readonly session: WorldSession | undefined;
}

/** @param hugeBytes more than the server takes */
export function prepare(world: World, plan: Plan, hugeBytes: number): Prepared {
  const messages: readonly MessageOf[] = GROUPS[plan.group];
  const messageOf = messages[plan.message % messages.length];
  const session = plan.group === 'session' || plan.group === 'slow' ? world.sessions[plan.n % world.sessions.length] : undefined;
  if (messageOf === undefined) throw new Error(`There are no messages of the group ${plan.group}.`);
  const { method, params, ...rest } = messageOf(world, plan.n);
  const isNotification = method?.startsWith('notifications/') === true || method === 'exit';
  const message = {
    jsonrpc: '2.0',
    ...(!isNotification && plan.id !== undefined && { id: plan.id }),
    ...(method !== undefined && { method }),
    ...(params && { params }),
    ...rest,
  };
  const { batch, json, bytes, http } = plan;
  const value = json.reduce<unknown>(
    mutated,
    batch === undefined ? message : Array.from({ length: batch }, (_, index) => ({ ...message, id: index })),
  );
  const text = JSON.stringify(value) ?? '';
  const body = bytes.reduce<Buffer>((buffer, mutation) => spoilt(buffer.toString(), mutation, hugeBytes), Buffer.from(text));
  const streams: [string, string][] =
    http.method === 'GET' ? [['last-event-id', world.eventIds[plan.n % Math.max(1, world.eventIds.length)] ?? '0']] : [];
  // Half of the changed messages come with headers that fit them, so that they get past the comparison of both.
  const described = plan.n % 2 === 0 && isJsonObject(value) ? value : { method, params };
  const right = session === undefined ? modernHeaders(described['method'], described['params']) : sessionHeaders(session);
  const headers = plan.headers.reduce<readonly (readonly [string, string])[]>(withHeader, [...right, ...(plan.n % 2 === 0 ? streams : [])]);
  return { sent: { ...http, headers: [...headers], body: http.hasBody ? body : undefined }, session };
}
