import { describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import { type Run } from '../../../../test/support/engine.js';
import { observeTasks } from './observe-tasks.js';
import { stepSpanId, taskSpanId } from './span-ids.js';
import type { SpanContext, TaskSpan } from './task-telemetry.js';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = `00-${TRACE_ID}-00f067aa0ba902b7-01`;
const question = { message: 'Which?', requestedSchema: { type: 'object' as const, properties: {} } };

/** An engine with workers and a service that report their spans here. */
function traced(run: Run) {
  const spans: TaskSpan[] = [];
  const entered: SpanContext[] = [];
  const traces = {
    emit: (span: TaskSpan) => void spans.push(span),
    within: <T>(context: SpanContext, work: () => T): T => {
      entered.push(context);
      return work();
    },
  };
  const engine = new Engine(run, undefined, { observer: observeTasks({ traces }, () => 'hash') });
  const tree = () =>
    spans.map(({ name, parentSpanId }) => `${name} < ${spans.find(({ spanId }) => spanId === parentSpanId)?.name ?? 'caller'}`);
  return { engine, spans, entered, tree };
}

describe('the spans of a task', () => {
  it('are one for the task, its passes, its steps and its waits, each under the one that it is a part of', async () => {
    const { engine, spans, tree } = traced(async (context) => {
      await context.step('before', () => undefined);
      await context.sleep('night', 60_000);
      await context.elicit(question);
      return context.step('after', () => 'done');
    });
    const id = await engine.create({ trace: CALLER, traceState: 'vendor=1' });
    await engine.settle();
    await engine.answer(id, '$elicit', { action: 'accept', content: {} });
    await engine.settle();
    expect(tree()).toEqual([
      'step before < pass',
      'pass < task tool',
      'sleep night < task tool',
      'pass < task tool',
      'elicitation/create < task tool',
      'step after < pass',
      'pass < task tool',
      'task tool < caller',
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE_ID]));
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    expect(spans.every(({ tracestate }) => tracestate === 'vendor=1')).toBe(true);
    expect(spans.find(({ name }) => name === 'sleep night')).toMatchObject({ startMs: 1_000, endMs: 61_000 });
  });

  it('take a step that was lost with its worker for one, and say that a pass was lost', async () => {
    let crash: (() => void) | undefined;
    const { engine, spans, entered, tree } = traced(async (context) =>
      context.step('during', () => {
        crash?.();
        return 'done';
      }),
    );
    const id = await engine.create({ trace: CALLER });
    const job = await engine.crashing((now) => (crash = now));
    crash = undefined;
    await engine.redeliver(job);
    expect(tree()).toEqual(['pass < task tool', 'step during < pass', 'pass < task tool', 'task tool < caller']);
    expect(spans[0]).toMatchObject({ attributes: { 'longhaul.pass.end': 'lost', 'error.type': 'worker_lost' } });
    const stepSpan = `00-${TRACE_ID}-${stepSpanId(id, { runSince: 0, attempt: 1 }, 'during', 1)}-01`;
    expect(entered.map(({ traceparent }) => traceparent)).toEqual([stepSpan, stepSpan]);
    expect(spans[1]?.spanId).toBe(stepSpan.split('-')[2]);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  });

  it('are others for each try of a step, and for the next attempt of the workflow', async () => {
    let tries = 0;
    const { engine, spans } = traced(async (context) =>
      context.step(
        'flaky',
        () => {
          tries += 1;
          if (tries < 4) throw new Error(`try ${tries}`);
          return tries;
        },
        { attempts: 2 },
      ),
    );
    engine.retry = { attempts: 3 };
    await engine.create({ trace: CALLER });
    await engine.settle();
    const steps = spans.filter(({ name }) => name === 'step flaky');
    expect(steps.map(({ error }) => error)).toEqual(['try 1', 'try 2', 'try 3', undefined]);
    expect(new Set(steps.map(({ spanId }) => spanId)).size).toBe(4);
  });

  it('end a question with the task that is cancelled meanwhile', async () => {
    const { engine, tree, spans } = traced(async (context) => context.elicit(question));
    const id = await engine.create({ trace: CALLER });
    await engine.settle();
    await engine.cancel(id);
    expect(tree()).toEqual(['pass < task tool', 'elicitation/create < task tool', 'task tool < caller']);
    expect(spans[1]?.attributes['error.type']).toBe('unanswered');
    expect(spans[2]?.attributes['longhaul.task.outcome']).toBe('cancelled');
  });

  it('make a trace of their own for a task that was created without one, and none for one that is not recorded', async () => {
    const { engine, spans } = traced(async () => 'done');
    const id = await engine.create();
    await engine.settle();
    const task = spans.at(-1);
    expect(task).toMatchObject({ spanId: taskSpanId(id), name: 'task tool' });
    expect(task).not.toHaveProperty('parentSpanId');
    expect(task).not.toHaveProperty('isSampled');
    const count = spans.length;
    await engine.create({ trace: CALLER.replace(/01$/, '00') });
    await engine.settle();
    expect(spans).toHaveLength(count);
  });
});
