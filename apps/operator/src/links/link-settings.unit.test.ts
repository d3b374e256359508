import { ConfigError } from '@longhaul/runtime/environment';
import type { TaskId } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.js';
import { linkOf } from './task-links.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const task = {
  taskId: '6f1c9a52-6f0e-4a53-9b7c-3b1f5d2a8e11' as TaskId,
  trace: `00-${TRACE}-00f067aa0ba902b7-01`,
  createdAt: 1_000_000,
  endedAt: 2_000_000,
};

describe('the links of a task', () => {
  it.each([
    ['https://jaeger.example.com/trace/{traceId}', `https://jaeger.example.com/trace/${TRACE}`],
    ['http://x/{taskId}#{taskHash}', 'http://x/6f1c9a52-6f0e-4a53-9b7c-3b1f5d2a8e11#9ad998e58b28'],
    ['https://x/?q={app="worker"} |= "{traceId}"&from={from}&to={to}', `https://x/?q={app="worker"} |= "${TRACE}"&from=940000&to=2060000`],
  ])('follow the template %s', (template, url) => {
    expect(linkOf(template, task, 3_000_000)).toBe(url);
  });

  it('reach until the next full hour if it has not ended, and lead to a trace of its own if it was created without one', () => {
    const { taskId, createdAt } = task;
    expect(linkOf('https://x/{to}', { taskId, createdAt }, 3_000_000)).toBe('https://x/3660000');
    expect(linkOf('https://x/{traceId}', { taskId, createdAt }, 3_000_000)).toMatch(/^https:\/\/x\/(?!4bf92f)[\da-f]{32}$/);
    expect(linkOf(undefined, task, 3_000_000)).toBeUndefined();
  });
});

describe('the templates of the settings', () => {
  it('are those of traces and logs, or none', () => {
    expect(readConfig({}).linkTemplates).toEqual({});
    const LONGHAUL_TRACE_URL = 'https://x/{traceId}';
    const LONGHAUL_LOGS_URL = 'https://x/{from}/{taskHash}';
    expect(readConfig({ LONGHAUL_TRACE_URL, LONGHAUL_LOGS_URL }).linkTemplates).toEqual({
      trace: LONGHAUL_TRACE_URL,
      logs: LONGHAUL_LOGS_URL,
    });
  });

  it.each([
    ['LONGHAUL_TRACE_URL', 'https://x/', 'must contain {traceId}'],
    ['LONGHAUL_TRACE_URL', 'https://x/{taskId}', 'must contain {traceId}'],
    [
      'LONGHAUL_TRACE_URL',
      'https://x/{trace}',
      'has the unknown placeholder {trace}; it may have {traceId}, {taskId}, {taskHash}, {from} and {to}',
    ],
    ['LONGHAUL_TRACE_URL', 'javascript:alert({traceId})', 'must be an http: or https: URL'],
    ['LONGHAUL_TRACE_URL', '/trace/{traceId}', 'must be an http: or https: URL'],
    ['LONGHAUL_LOGS_URL', 'https://x/{from}/{to}', 'must contain {taskHash}, {taskId} or {traceId}'],
    ['LONGHAUL_LOGS_URL', 'ftp://x/{taskId}', 'must be an http: or https: URL'],
  ])('refuse %s=%s in one line', (variable, text, said) => {
    expect(() => readConfig({ [variable]: text })).toThrow(new ConfigError(`${variable}: ${said}`));
  });
});
