/** What session jobs are called in the queue. Persisted, so frozen. */
export const SESSION_JOB = 'session';
//# sourceMappingURL=session-job.js.map