import type { SessionStore } from '@longhaul/sessions/gateway';
import type { SessionState } from '@longhaul/sessions';
import { featureMethods, type FeatureMethodsDeps } from '../../rpc/features/feature-methods.js';
import { servedMethods } from '../../rpc/served-methods.js';
import { serverCapabilities } from '../../rpc/server-info.js';
import type { SessionMethod } from '../requests/session-call.js';
import { callTool, type CallToolDeps } from './call-tool.js';
import { ping, setLogLevel, shutDownNothing, shutDownSession } from './session-methods.js';
import { subscribe, unsubscribe } from './subscribe.js';
import { cancelTask, getTask, getTaskResult, listTasks } from './task-methods.js';

/** The parts that the methods use. */
export interface MethodDeps extends Omit<FeatureMethodsDeps, 'plainCalls'>, CallToolDeps {
  readonly sessions: SessionStore;
  readonly sessionState: SessionState;
  /** Whether there are no sessions, and so no methods about one. */
  readonly isStateless: boolean;
}

/** Every method of a session, by its name, if there are features for it. `initialize` is missing: it makes the session. */
export function methodTable(deps: MethodDeps): ReadonlyMap<string, SessionMethod> {
  const { features, tasks, sessions, sessionState, follow, isStateless } = deps;
  const methods: readonly SessionMethod[] = [
    ...featureMethods(deps),
    ping,
    isStateless ? shutDownNothing : shutDownSession(sessions),
    setLogLevel(sessions),
    subscribe(sessionState, features),
    unsubscribe(sessionState),
    callTool(deps),
    listTasks(tasks),
    getTask(tasks),
    getTaskResult(tasks, follow),
    cancelTask(tasks),
  ];
  return servedMethods(methods, serverCapabilities(features, isStateless));
}
