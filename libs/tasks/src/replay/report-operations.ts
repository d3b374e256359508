/** Defines the operations that report to the client; nothing waits for them. */
import type { ContextOperations } from './context-operation.js';
import { spendingOf } from './spending.js';
import { elicitationCompleteParams, exposedValue, logParams } from './notification-params.js';

/** Their entries. */
export const REPORT_OPERATIONS = {
  status: {
    key: 'none',
    isDrawn: false,
    make:
      ({ reports }) =>
      (message) =>
        reports.status(message),
  },
  progress: {
    key: 'none',
    isDrawn: false,
    make:
      ({ reports }) =>
      (progress) =>
        reports.report(progress),
  },
  expose: {
    key: 'none',
    isDrawn: false,
    make:
      ({ report, reports }) =>
      (value) =>
        report('expose', () => reports.expose(exposedValue(value))),
  },
  log: {
    key: 'none',
    isDrawn: false,
    make:
      ({ report, reports }) =>
      (level, data, logger) =>
        report('log', () => reports.notify('notifications/message', logParams(level, data, logger))),
  },
  spend: { key: 'none', isDrawn: false, make: ({ run }) => spendingOf(run) },
  elicitationComplete: {
    key: 'none',
    isDrawn: false,
    make:
      ({ reports }) =>
      (elicitationId) =>
        reports.notify('notifications/elicitation/complete', elicitationCompleteParams(elicitationId)),
  },
} as const satisfies ContextOperations<'status' | 'progress' | 'expose' | 'spend' | 'log' | 'elicitationComplete'>;
