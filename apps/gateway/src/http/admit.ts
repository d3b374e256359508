/** Checks every request to the endpoint before its body is read: its origin, and its caller. */
import type { Principal } from '@longhaul/sessions/gateway';
import { LOCAL_OWNER } from '@longhaul/sessions';
import { addressAccount, remembered } from '@longhaul/tasks';
import type { onRequestHookHandler } from 'fastify';
import { checkPostTypes } from '../generation-2025/header-checks.js';
import { type AuthenticatedRequest, CALLER_SECRET_HEADER, ownerOfSecret } from '../rpc/caller.js';
import { networkOf } from '@longhaul/runtime/network-of';
import { allowPage } from './cors.js';
import type { LimitedAuthenticate } from './failed-authentications.js';
import type { HostCheck } from './host-check.js';

const REMEMBERED_ADDRESSES = 1_000;

/** Each request needs the account of its address. */
const accountOfAddress = remembered(REMEMBERED_ADDRESSES, (address) => addressAccount(networkOf(address)));

/**
 * @param authenticate finds the caller; absent if everyone is let in
 * @param isOneUser whether only the user of this machine can connect, who needs no token
 */
export function createAdmit(checkHost: HostCheck, authenticate: LimitedAuthenticate | undefined, isOneUser: boolean): onRequestHookHandler {
  return (request, reply, done) => {
    checkHost(request.raw);
    // A browser sends no credentials with its preflight.
    if (allowPage(request, reply)) return void reply.code(204).send();
    const raw = request.raw as AuthenticatedRequest;
    raw.response = reply.raw;
    raw.addressAccount = accountOfAddress(request.ip ?? '');
    const namelessOwner = isOneUser ? LOCAL_OWNER : ownerOfSecret(request.headers[CALLER_SECRET_HEADER]);
    if (namelessOwner !== undefined) raw.namelessOwner = namelessOwner;
    const admitAs = (auth?: Principal): void => {
      if (auth !== undefined) raw.auth = auth;
      if (request.method === 'POST') checkPostTypes(request.headers);
    };
    const admitLater = async (finding: Promise<Principal>): Promise<void> => {
      try {
        admitAs(await finding);
      } catch (error) {
        return done(error as Error);
      }
      done();
    };
    const found = authenticate?.(raw);
    if (found instanceof Promise) return void admitLater(found);
    admitAs(found);
    done();
  };
}
