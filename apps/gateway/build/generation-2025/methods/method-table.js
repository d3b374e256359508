import { featureMethods } from '../../rpc/features/feature-methods.js';
import { servedMethods } from '../../rpc/served-methods.js';
import { serverCapabilities } from '../../rpc/server-info.js';
import { callTool } from './call-tool.js';
import { ping, setLogLevel, shutDownNothing, shutDownSession } from './session-methods.js';
import { subscribe, unsubscribe } from './subscribe.js';
import { cancelTask, getTask, getTaskResult, listTasks } from './task-methods.js';
/** Every method of a session, by its name, as far as there are features for it. `initialize` is not among them: it makes the session. */
export function methodTable(deps) {
    const { features, tasks, sessions, sessionState, follow, isStateless } = deps;
    const methods = [
        ...featureMethods(deps),
        ping,
        isStateless ? shutDownNothing : shutDownSession(sessions),
        setLogLevel(sessions),
        subscribe(sessionState),
        unsubscribe(sessionState),
        callTool(deps),
        listTasks(tasks),
        getTask(tasks),
        getTaskResult(tasks, follow),
        cancelTask(tasks),
    ];
    return servedMethods(methods, serverCapabilities(features, isStateless));
}
//# sourceMappingURL=method-table.js.map