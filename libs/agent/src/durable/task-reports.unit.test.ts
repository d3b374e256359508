import type { ProgressReport } from '@longhaul/tasks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TaskReports } from './task-reports.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function reporting(progressToken?: string) {
  const [statuses, progress]: [string[], ProgressReport[]] = [[], []];
  const reports = new TaskReports({
    status: (message) => void statuses.push(message),
    progress: (report) => void progress.push(report as ProgressReport),
    ...(progressToken !== undefined && { progressToken }),
  });
  return { reports, statuses, progress };
}

const call = (id: string) => ({ type: 'tool-call', id, tool: `tool ${id}`, arguments: '{}' }) as const;
const result = (id: string) => ({ type: 'tool-result', id, tool: `tool ${id}`, isError: id === 'b', ms: 1, text: '' }) as const;

describe('the reports of a run', () => {
  it('name the round, what is called, and what came of it', () => {
    const { reports, statuses, progress } = reporting('token');
    reports.take({ type: 'round', round: 1, maxRounds: 3 });
    reports.take({ type: 'retry', afterMs: 1_500, reason: 'it is busy' });
    for (const id of ['a', 'b']) reports.take(call(id));
    reports.take({ type: 'tool-progress', id: 'a', message: 'half' });
    for (const id of ['a', 'b']) reports.take(result(id));
    reports.take({ type: 'round', round: 2, maxRounds: 3 });
    expect(statuses).toEqual([
      'Round 1 of 3: asking the model',
      'Round 1 of 3: asking the model again in 2 s: it is busy',
      'Round 1 of 3: calling tool a',
      'Round 1 of 3: calling tool a, tool b',
      'Round 2 of 3: asking the model',
    ]);
    expect(progress.map(({ message }) => message).slice(4, 7)).toEqual(['tool a: half', 'tool a has answered', 'tool b has failed']);
    expect(progress.at(-1)).toMatchObject({ progress: 1, total: 3 });
    expect(progress.every((report, index) => report.progress > (progress[index - 1]?.progress ?? -1))).toBe(true);
  });

  it('are at the same place in a replay, which does not make those of the steps', () => {
    const [first, replay] = [reporting('token'), reporting('token')];
    for (const { reports } of [first, replay]) reports.take({ type: 'round', round: 1, maxRounds: 3 });
    for (let token = 0; token < 50; token++) {
      vi.advanceTimersByTime(600);
      first.reports.take({ type: 'delta', text: 'word ' });
    }
    for (const { reports } of [first, replay]) reports.take(call('a'));
    expect(replay.progress.at(-1)).toEqual(first.progress.at(-1));
    expect(first.progress.length).toBeGreaterThan(40);
  });

  it('of a stream of ten minutes are few, and show the end of the text', () => {
    const { reports, progress } = reporting('token');
    reports.take({ type: 'round', round: 1, maxRounds: 1 });
    for (let token = 0; token < 60_000; token++) {
      vi.advanceTimersByTime(10);
      reports.take({ type: 'delta', text: `${token} ` });
    }
    expect(progress.length).toBeGreaterThan(100);
    expect(progress.length).toBeLessThan(500);
    expect(progress.at(-1)?.message).toMatch(/^.{400,500}$/);
    expect(progress.every((report, index) => report.progress > (progress[index - 1]?.progress ?? -1) && report.progress < 1)).toBe(true);
  });

  it('of a tool that says much of itself are few', () => {
    const { reports, progress } = reporting('token');
    reports.take({ type: 'round', round: 1, maxRounds: 1 });
    reports.take(call('a'));
    for (let second = 0; second < 36_000; second++) {
      vi.advanceTimersByTime(1_000);
      reports.take({ type: 'tool-progress', id: 'a', message: `${second} s` });
    }
    expect(progress.length).toBeLessThan(600);
  });

  it('from within steps are none where nobody wants progress', () => {
    const { reports, progress } = reporting();
    reports.take({ type: 'round', round: 1, maxRounds: 1 });
    reports.take({ type: 'delta', text: 'word' });
    reports.take({ type: 'tool-progress', id: 'a', message: 'half' });
    expect(progress).toHaveLength(1);
  });
});
