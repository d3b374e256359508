/** A gateway that asks for a scope of every request, of each method and of features; with tokens and clients for it. */
import { METHODS } from '@longhaul/gateway/methods';
import { waitUntil } from '../../support/wait-until.js';
import { guardedFeatures } from './guarded-features.js';
import { protectedForTests } from './protected-service.js';
import { client2025, client2026, type TokenAnswer, type TokenClient } from './requests.js';

export const BASE = 'base';
export const scopeOf = (method: string): string => `m:${method}`;
export const LONGHAUL_SCOPES = JSON.stringify({
  required: [BASE],
  methods: Object.fromEntries(Object.keys(METHODS).map((method) => [method, [scopeOf(method)]])),
});

/** What the features ask for. */
export const OF_FEATURES = ['f:inline', 'f:two', 'f:durable', 'f:asking', 'f:prompt', 'f:resource', 'f:template'];
export const ALL = [BASE, ...Object.keys(METHODS).map(scopeOf), ...OF_FEATURES];

export const OLD = ['2025-11-25'] as const;
export const NEW = ['2026-07-28'] as const;

/** What there is to ask about. */
export interface Made {
  readonly taskId: string;
}

/** Is started before the tests of a file, and stopped after them. */
export function guardedForTests() {
  const started = protectedForTests({ features: guardedFeatures, env: { LONGHAUL_SCOPES }, settings: { resultCharacters: 1_000 } });
  const tokenWith = (scopes: readonly string[], sub = 'ada'): Promise<string> =>
    started.issuer.token({ claims: { sub, scope: scopes.join(' ') } });
  return {
    started,
    tokenWith,
    /** A task that has ended. */
    async made(): Promise<Made> {
      const creator = client2026(started.url, await tokenWith(ALL));
      const { result } = await creator.call('tools/call', { name: 'durable', arguments: {} });
      const taskId = String(result?.['taskId']);
      await waitUntil(async () => (await creator.call('tasks/get', { taskId })).result?.['status'] === 'completed', {
        description: 'the task has ended',
      });
      return { taskId };
    },
    /** A client that was let in with everything, and then shows other tokens. */
    async clientOf(version: TokenClient['version']): Promise<TokenClient> {
      const token = await tokenWith(ALL);
      return version === '2025-11-25' ? client2025(started.url, token) : client2026(started.url, token);
    },
  };
}

/** The scopes that a challenge names. */
export function challenged({ challenge }: TokenAnswer): string[] {
  return (/scope="([^"]*)"/.exec(challenge ?? '')?.[1] ?? '').split(' ').toSorted();
}
