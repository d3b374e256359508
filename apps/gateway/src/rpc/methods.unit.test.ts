import { openMemoryStore } from '@longhaul/store-sqlite';
import {
  createFeatureRegistry,
  definePrompt,
  defineResourceTemplate,
  defineTool,
  type Feature,
  type FeatureRegistry,
} from '@longhaul/mcp-features';
import { createTaskService } from '@longhaul/tasks';
import { pino } from 'pino';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { methodsOf } from '../../../../test/support/schema-methods.js';
import { methodTable } from '../generation-2025/methods/method-table.js';
import type { SessionMethod } from '../generation-2025/requests/session-call.js';
import { ListenSlots } from '../generation-2026/listen/listen-slots.js';
import { Listening } from '../generation-2026/listen/listening.js';
import { modernCapabilities, modernMethods } from '../generation-2026/methods/method-table.js';
import { createStateSeal } from '../generation-2026/multi-round-trip/sealed-state.js';
import type { ModernMethod } from '../generation-2026/requests/modern-method.js';
import { serverMetaOf } from '../generation-2026/requests/results.js';
import { createOwners } from './features/owners.js';
import { createContextOf } from './features/request-context.js';
import { createKeyRing } from '@longhaul/runtime/keys';
import type { Method } from './method.js';
import { type MethodName, METHODS, traitsOf } from './methods.js';
import { serverInfo } from './server-info.js';
import { PLAIN_CALL_SETTINGS } from './plain-calls/plain-call-settings.fixture.js';
import { createPlainCalls } from './plain-calls/plain-calls.js';
import { createNotifyOfTask } from './tasks/notify-of-task.js';
import { unscopedTasks } from './tasks/unscoped-tasks.fixture.js';

const tool = defineTool({ name: 'tool', description: '', input: z.object({}), run: () => '' });
const prompt = definePrompt({ name: 'prompt', description: '', run: () => '' });
const template = defineResourceTemplate({ uriTemplate: 'a://{b}', name: 'template', complete: { b: () => [] }, read: () => '' });
const all: readonly Feature[] = [tool, prompt, template];

const logger = pino({ level: 'silent' });
const store = openMemoryStore();
const { sessionState, sessionNotifications } = store;
const { gateway: state } = store;
const service = createTaskService(store, { onError: () => undefined });
const owners = createOwners({ store, sessionIdleMs: 1_000, logger });
const contextOf = createContextOf({ notifications: sessionNotifications, owners, tenants: { ofOwner: () => ({}) }, logger });
const sharedWith = (features: FeatureRegistry) => {
  const tasks = unscopedTasks(service, features);
  const plainCalls = createPlainCalls({ features, tasks, owners, settings: PLAIN_CALL_SETTINGS, linkTo: () => undefined });
  return { features, tasks, plainCalls, contextOf, owners, pageSize: 10, maxTtlMs: 1_000, keptQuestions: [] };
};

function served2025(features: FeatureRegistry, isStateless = false): ReadonlyMap<string, SessionMethod> {
  const follow = () => Promise.reject(new Error('No task is followed here.'));
  const noteTasks = (): Promise<void> => Promise.resolve();
  return methodTable({ ...sharedWith(features), sessions: state.sessions, sessionState, follow, noteTasks, isStateless });
}

function served2026(features: FeatureRegistry): ReadonlyMap<string, ModernMethod> {
  const closing = new AbortController().signal;
  const shared = sharedWith(features);
  const { tasks } = shared;
  const capabilities = modernCapabilities(features);
  const [slots, serverMeta] = [new ListenSlots(() => 1), serverMetaOf(() => serverInfo())];
  const { method: listen } = new Listening({
    tasks,
    sessionNotifications,
    owners,
    capabilities,
    watch: () => undefined,
    serverMeta,
    slots,
    logger,
    closing,
  });
  const seal = createStateSeal(createKeyRing('secret'), { keptMs: 1_000 });
  const waiting = { notifyOfTask: createNotifyOfTask(tasks), seal, closing };
  return modernMethods({ ...shared, ...waiting, ...state, stateMs: 1_000, instructions: () => undefined, listen, logger });
}

const names = (methods: ReadonlyMap<string, unknown>): string[] => [...methods.keys()];

describe('the list of methods', () => {
  it('has those that one of the protocol versions serves, and no others', () => {
    const features = createFeatureRegistry(all);
    // The method that makes a session is in no session's table.
    const served = new Set(['initialize', ...names(served2025(features)), ...names(served2026(features))]);
    expect(Object.keys(METHODS).toSorted()).toEqual([...served].toSorted());
  });

  it('is all that a descriptor takes its name from', () => {
    expectTypeOf<Method['name']>().toEqualTypeOf<MethodName>();
    expectTypeOf<SessionMethod['name']>().toEqualTypeOf<MethodName>();
    expectTypeOf<ModernMethod['name']>().toEqualTypeOf<MethodName>();
  });

  it.each(['2025-11-25', '2026-07-28'] as const)('has every request that clients have in revision %s', (revision) => {
    expect(Object.keys(METHODS)).toEqual(expect.arrayContaining([...methodsOf(revision, 'ClientRequest')]));
  });

  it('says of what opens a stream that it does', () => {
    for (const { name, kind } of served2026(createFeatureRegistry(all)).values())
      expect([name, traitsOf(name).isSubscription ?? false]).toEqual([name, kind === 'streams']);
  });

  it.each(['toString', 'constructor', '', 'tools/unlisted'])('says nothing of %j', (name) => {
    expect(traitsOf(name)).toEqual({});
  });
});

describe('a method that has to be declared', () => {
  const bound = Object.entries(METHODS).flatMap(([name, traits]) => ('capability' in traits ? [[name, traits.capability] as const] : []));
  const ofSessions = new Set<string>(['resources.subscribe', 'logging', 'tasks.list']);
  const ofNoFeature = new Set<string>(['logging', 'tasks.list']);

  it.each(bound)('is served if its server declares it only: %s', (name, capability) => {
    const [none, some] = [createFeatureRegistry([]), createFeatureRegistry(all)];
    expect(served2025(some).has(name)).toBe(true);
    expect(served2025(some, true).has(name)).toBe(!ofSessions.has(capability));
    expect(served2025(none).has(name)).toBe(ofNoFeature.has(capability));
    expect(served2026(some).has(name)).toBe(!ofSessions.has(capability));
    expect(served2026(none).has(name)).toBe(false);
  });
});
