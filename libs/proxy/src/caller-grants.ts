/**
 * What servers are shown of callers, where the file says that the token of a caller is exchanged for one of the server. Within a request the
 * token of the caller is there. For a task, the token of the server is kept before the task is created, and found again by any worker.
 */
import type { DurableContext, RequestContext } from '@longhaul/mcp-features';
import { callerTokenOf } from '@longhaul/mcp-features/caller-token';
import {
  CallerTokens,
  type ExchangingServer,
  exchangesTokens,
  KeptTokens,
  type LeaseRequest,
  ServerAuthError,
  type ServerConfig,
  tokenMissing,
  type TokenPlace,
} from '@longhaul/servers';
import { createOwnerStore, type Store } from '@longhaul/sessions';
import type { InterruptedTask } from '@longhaul/tasks';
import { createHash } from 'node:crypto';
import { connectionKey } from './connection-key.js';

/** Who calls. */
type Caller = Pick<DurableContext | RequestContext | InterruptedTask, 'caller' | 'auth'>;

/** For whom a connection is needed. */
type Wanted = Pick<LeaseRequest, 'key' | 'account' | 'credentials'>;

export class CallerGrants {
  readonly #tokens = new CallerTokens();
  #kept: KeptTokens | undefined;

  /** Keeps tokens for tasks from now on, if the store encrypts them. */
  keepIn({ ownerRecords, encrypts }: Pick<Store, 'ownerRecords' | 'encrypts'>): void {
    if (encrypts === true) this.#kept = new KeptTokens(createOwnerStore(ownerRecords));
  }

  /** Why tools of the server cannot be called by tasks; nothing if they can. */
  refusalOf(config: ServerConfig, tool: string): string | undefined {
    if (!exchangesTokens(config) || this.#kept !== undefined) return undefined;
    return `The tool "${tool}" of the server "${config.name}" is refused: it would be a task, for which the token of a caller is kept encrypted only. Set LONGHAUL_KEYS, or "task": "forbidden" for the tool.`;
  }

  /**
   * Callers with other rights have other connections, also in one session.
   *
   * @throws ServerAuthError for a caller without a token
   */
  ofRequest(config: ServerConfig, context: RequestContext): Wanted {
    const shared = connectionKey(config, context);
    if (!exchangesTokens(config)) return shared;
    const caller = callerOf(context);
    return wanted(shared, caller, this.#tokens.of(config, caller, tokenOf(config, context)));
  }

  /**
   * Keeps the token that a task of the caller must show. A server that asks for no token of its callers needs nothing.
   *
   * @throws ServerAuthError; AuthorizationServerAway; TaskError `STORE_UNAVAILABLE`, `STORE_FULL`
   */
  async keep(config: ServerConfig, context: RequestContext): Promise<void> {
    if (!exchangesTokens(config)) return;
    const place = placeOf(config, context);
    const gotten = await this.#tokens.lasting(config, place.caller, tokenOf(config, context));
    await this.#requireKept(config).put(place, gotten);
  }

  /** The same as `ofRequest` in a task. @throws ServerAuthError for a task that no caller with a token has created */
  ofTask(config: ServerConfig, task: Caller): Wanted {
    const shared = connectionKey(config, task);
    if (!exchangesTokens(config)) return shared;
    if (task.auth?.issuer === undefined) throw tokenMissing(config.name);
    const place = placeOf(config, task);
    return wanted(shared, place.caller, this.#requireKept(config).credentials(place));
  }

  #requireKept(config: ServerConfig): KeptTokens {
    if (this.#kept !== undefined) return this.#kept;
    throw new ServerAuthError(
      config.name,
      `Tasks keep the token of a caller for the server "${config.name}" encrypted: set LONGHAUL_KEYS.`,
    );
  }
}

function wanted(shared: Wanted, caller: string, credentials: LeaseRequest['credentials']): Wanted {
  return { ...shared, ...(shared.key !== undefined && { key: caller }), credentials };
}

function placeOf(config: ExchangingServer, task: Caller): TokenPlace {
  return { config, caller: callerOf(task), account: task.caller.account };
}

/** A caller with its rights: the same for its requests and its tasks. */
function callerOf({ caller, auth }: Caller): string {
  const { issuer, tenant, subject, client, scopes, claims } = auth ?? {};
  return createHash('sha256')
    .update(JSON.stringify([caller.key, caller.account, issuer, tenant, subject, client, scopes, claims]))
    .digest('base64url');
}

function tokenOf(config: ServerConfig, context: RequestContext): string {
  const token = callerTokenOf(context);
  if (token === undefined) throw tokenMissing(config.name);
  return token;
}
