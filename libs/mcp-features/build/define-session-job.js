import { madeOf } from './feature-code.js';
import { statedNeeds } from './needs.js';
import { inFeature } from './feature-scope.js';
const SHORTEST_MS = 100;
/** Defines a session job. @throws RangeError when it would run too often */
export function defineSessionJob(spec) {
    const { name, everyMs, description } = spec;
    if (!(everyMs >= SHORTEST_MS))
        throw new RangeError(`everyMs of session job "${name}" must be at least ${SHORTEST_MS}, not ${everyMs}.`);
    const job = {
        kind: 'session-job',
        ...statedNeeds({ needsSession: true }),
        name,
        everyMs,
        ...(description !== undefined && { description }),
        run: (context) => inFeature({ kind: 'session-job', name }, () => spec.run(context)),
    };
    return madeOf(job, spec);
}
//# sourceMappingURL=define-session-job.js.map