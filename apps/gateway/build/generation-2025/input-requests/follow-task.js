import { InputRequestDispatcher } from './input-request-dispatcher.js';
import { relatedTaskOf, withRelatedTask } from '../wire/related-task.js';
export function createFollowTask({ tasks, notifyOfTask, sessions, ...deps }) {
    return async (from, { scope, session }) => {
        const { stream, signal } = scope;
        const push = scope.push.bind(scope);
        const relatedTask = relatedTaskOf(from.view);
        const listener = {
            logLevel: async () => (await sessions.load(session.id))?.logLevel,
            push: ({ method, params }) => push({ method, params: withRelatedTask(params, relatedTask) }),
            signal,
        };
        stream.bind(from.view.taskId);
        const dispatcher = new InputRequestDispatcher(deps, {
            push,
            hasSent: (id) => stream.hasSent(id),
            get holder() {
                return stream.holder;
            },
        }, { graceMs: 0, isAskedFor: true });
        try {
            for await (const { view, outcome } of tasks.follow(from, signal)) {
                await tasks.patiently(() => dispatcher.offer(view), signal);
                await notifyOfTask(view, listener);
                if (outcome !== undefined)
                    return outcome;
            }
        }
        finally {
            dispatcher.end();
        }
        throw new RangeError('A task was followed to an end that is none.');
    };
}
//# sourceMappingURL=follow-task.js.map