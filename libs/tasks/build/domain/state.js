import { noOperations } from './operations.js';
/** The version of a pass that does not say which it had: of a time before there were versions. */
export const UNKNOWN_VERSION = 'unknown';
/** The state before the first event. */
export const initialState = {
    version: 0,
    task: undefined,
    createdAt: 0,
    runStartedAt: 0,
    runSince: 0,
    updatedAt: 0,
    passNumber: 0,
    pass: { phase: 'idle' },
    workerVersion: undefined,
    epoch: 0,
    attempt: 1,
    attemptSince: 0,
    trials: { together: false, alone: 0 },
    operations: noOperations,
    recordedBy: new Set(),
    startsNoted: 0,
    pendingInputs: new Set(),
    statusMessage: undefined,
    statusSeq: 0,
    progress: undefined,
    progressSeq: 0,
    progressAt: 0,
    notificationSeq: 0,
    notifiedAt: 0,
    outcome: undefined,
    endedAt: undefined,
};
//# sourceMappingURL=state.js.map