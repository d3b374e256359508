/** Shows what happened to tasks over time: how many, how long they took, and how long work and questions waited. */
import { useMemo } from 'preact/hooks';
import type { Stats } from '../../../src/answers.js';
import { get } from '../api/client.js';
import { type Loaded, usePolled } from '../api/loaded.js';
import { durationText } from '../parts/time.js';
import { goTo, route } from '../router.js';
import { Chart, type Line } from './chart.js';

const SPANS: readonly Stats['over'][] = ['hour', 'day', 'week'];

const PER: Readonly<Record<Stats['over'], string>> = { hour: 'minute', day: '10 minutes', week: 'hour' };

/** Counts change slowly. */
const EVERY_MS = 5_000;

/** The span in the address. */
export function spanFrom(query: Readonly<Record<string, string>>): Stats['over'] {
  return SPANS.find((span) => span === query['over']) ?? 'hour';
}

/** @param tool absent for all tools */
export function useStats(over: Stats['over'], tool?: string): Loaded<Stats> {
  return usePolled((signal) => get<Stats>('stats', { over, tool }, signal), [over, tool], EVERY_MS);
}

/** Chooses the span, which is a part of the address. */
export function SpanPicker({ over }: { readonly over: Stats['over'] }) {
  const { path, query } = route.value;
  return (
    <span class="choices" role="group" aria-label="Span of the charts">
      {SPANS.map((span) => (
        <button key={span} type="button" aria-pressed={span === over} onClick={() => goTo(path, { ...query, over: span })}>
          {`Last ${span}`}
        </button>
      ))}
    </span>
  );
}

export function StatsCharts({ stats }: { readonly stats: Stats }) {
  const { over, periods, total } = stats;
  const times = useMemo(() => periods.map(({ at }) => Date.parse(at)), [stats]);
  const counts = useMemo(
    (): Line[] => [
      { name: 'Created', colour: 'link', dash: [2, 3], values: periods.map(({ created }) => created) },
      { name: 'Completed', colour: 'good', values: periods.map(({ completed }) => completed) },
      { name: 'Failed', colour: 'bad', dash: [8, 4], values: periods.map(({ failed }) => failed) },
    ],
    [stats],
  );
  const durations = useMemo(
    (): Line[] => [
      { name: 'Half (p50)', colour: 'link', values: periods.map(({ p50Ms }) => p50Ms) },
      { name: '95 of 100 (p95)', colour: 'waits', dash: [8, 4], values: periods.map(({ p95Ms }) => p95Ms) },
    ],
    [stats],
  );
  const waits = useMemo(
    (): Line[] => [
      { name: 'Oldest job', colour: 'waits', values: periods.map(({ queueAgeMs }) => queueAgeMs) },
      { name: 'Oldest question', colour: 'ended', dash: [8, 4], values: periods.map(({ questionAgeMs }) => questionAgeMs) },
    ],
    [stats],
  );
  const half = total.p50Ms === undefined ? 'none has ended' : `half took ${durationText(total.p50Ms)} or less`;
  return (
    <div class="charts">
      <Chart
        title={`Tasks per ${PER[over]}`}
        summary={`In the last ${over} ${total.created} tasks were created, ${total.completed} completed and ${total.failed} failed.`}
        times={times}
        lines={counts}
        textOf={(value) => Math.round(value).toLocaleString()}
      />
      <Chart
        title="How long tasks took"
        summary={`Of the tasks of the last ${over} ${half}.`}
        times={times}
        lines={durations}
        textOf={durationText}
      />
      {waits.some(({ values }) => values.some((value) => value !== undefined)) && (
        <Chart
          title="How long work and questions waited"
          summary={`How long the oldest job and the oldest question waited in each period of the last ${over}.`}
          times={times}
          lines={waits}
          textOf={durationText}
        />
      )}
    </div>
  );
}
