import type { TaskDetails } from '../../../src/answers.js';

/** An amount as people read it. */
export function spendingText({ cost, tokens }: NonNullable<TaskDetails['spent']> = {}): string {
  const parts = [
    cost?.toLocaleString(undefined, { maximumFractionDigits: 6 }),
    tokens === undefined ? undefined : `${tokens.toLocaleString()} tokens`,
  ];
  return parts.filter((part) => part !== undefined).join(', ') || '–';
}
