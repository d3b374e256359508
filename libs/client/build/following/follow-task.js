import { isEnd } from '../task-status.js';
import { SnapshotFeed } from './snapshot-feed.js';
/**
 * Follows a task to its end. Notifications and polling go side by side: push is fast where it works, and the server's
 * poll interval is how long a lost push can go unnoticed.
 */
export async function followTask(task, first, call) {
    const end = new AbortController();
    const signal = AbortSignal.any([call.signal, end.signal]);
    const feed = new SnapshotFeed(signal);
    try {
        if (!isEnd(first))
            task.watch(feed, signal);
        let snapshot = first;
        for (;;) {
            call.signal.throwIfAborted();
            call.report(snapshot);
            if (isEnd(snapshot))
                return await task.settle(snapshot, signal);
            task.attend(snapshot, feed, signal);
            snapshot = await feed.next(snapshot, () => task.get(signal));
        }
    }
    finally {
        end.abort(new DOMException('The task is not followed any more.', 'AbortError'));
    }
}
//# sourceMappingURL=follow-task.js.map