/** Draws numbers over time. The library that draws is loaded with the first chart. */
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import type UPlot from 'uplot';
import { lonePoints } from './lone-points.js';

/** A line of a chart. Lines differ by their dashes too, not by their colours alone. */
export interface Line {
  readonly name: string;
  /** The name of a colour of the style sheet. */
  readonly colour: 'good' | 'bad' | 'link' | 'waits' | 'ended';
  /** Lengths of dashes and gaps, pixels. */
  readonly dash?: number[];
  /** One for each time; undefined where nothing is known. */
  readonly values: readonly (number | undefined)[];
}

export interface ChartProps {
  readonly title: string;
  /** The same in words. */
  readonly summary: string;
  /** Epoch milliseconds. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly textOf: (value: number) => string;
}

const HEIGHT = 170;
const DAY_MS = 24 * 3_600_000;
const hours = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const days = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit' });

export function Chart({ title, summary, times, lines, textOf }: ChartProps) {
  const name = useId();
  const box = useRef<HTMLDivElement>(null);
  const legend = useRef<HTMLDivElement>(null);
  const drawn = useRef<UPlot | undefined>(undefined);
  const isDark = useIsDark();
  const data = useMemo(
    (): UPlot.AlignedData => [times.map((at) => at / 1_000), ...lines.map(({ values }) => values.map((value) => value ?? null))],
    [times, lines],
  );
  const latest = useRef(data);
  latest.current = data;
  useEffect(() => {
    const place = box.current;
    let isGone = false;
    if (place === null) return undefined;
    const observer = new ResizeObserver(() => drawn.current?.setSize({ width: place.clientWidth, height: HEIGHT }));
    const draw = async (): Promise<void> => {
      const { default: Plot } = await import('uplot');
      if (isGone) return;
      const options = optionsOf({ lines, textOf, width: place.clientWidth, legend: legend.current, times });
      drawn.current = new Plot(options, latest.current, place);
      observer.observe(place);
    };
    void draw();
    return () => {
      isGone = true;
      observer.disconnect();
      drawn.current?.destroy();
      drawn.current = undefined;
    };
  }, [isDark, lines.map((line) => line.name).join(), times[1] === undefined ? 0 : times[1] - (times[0] ?? 0)]);
  useEffect(() => drawn.current?.setData(data), [data]);
  return (
    <figure class="chart" aria-labelledby={name}>
      <figcaption id={name}>{title}</figcaption>
      <div ref={box} role="img" aria-label={summary} />
      <div ref={legend} aria-hidden="true" />
    </figure>
  );
}

interface Drawing extends Pick<ChartProps, 'lines' | 'textOf' | 'times'> {
  readonly width: number;
  readonly legend: HTMLElement | null;
}

function optionsOf({ lines, textOf, width, legend, times }: Drawing): UPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (of: string): string => style.getPropertyValue(`--${of}`);
  const isLong = (times.at(-1) ?? 0) - (times[0] ?? 0) > DAY_MS;
  const axis = { stroke: colour('quiet'), grid: { stroke: colour('line'), width: 1 }, ticks: { stroke: colour('line'), width: 1 } };
  return {
    width,
    height: HEIGHT,
    cursor: { y: false, drag: { x: false, y: false } },
    legend: { mount: (_plot, table) => legend?.replaceChildren(table) },
    scales: { y: { range: (_plot, _least, most) => [0, Math.max(1, most * 1.1)] } },
    axes: [
      { ...axis, space: 70, values: (_plot, at) => at.map((seconds) => (isLong ? days : hours).format(1_000 * seconds)) },
      { ...axis, size: 90, space: 34, values: (_plot, at) => at.map(textOf) },
    ],
    series: [
      {
        label: 'Time',
        value: (_plot, seconds: number | null) => (seconds === null ? '' : (isLong ? days : hours).format(1_000 * seconds)),
      },
      ...lines.map(({ name, colour: of, dash }) => ({
        label: name,
        stroke: colour(of),
        width: 2,
        points: { size: 7, filter: pointsOf },
        ...(dash !== undefined && { dash }),
        value: (_plot: UPlot, value: number | null | undefined) => (value === null || value === undefined ? '–' : textOf(value)),
      })),
    ],
  };
}

/** All points if there is room for them, otherwise those that have no line. */
function pointsOf(plot: UPlot, series: number, hasRoom: boolean): number[] | null {
  const lone = hasRoom ? [] : lonePoints(plot.data[series] ?? []);
  return lone.length === 0 ? null : lone;
}

/** Colours are read when a chart is drawn. */
function useIsDark(): boolean {
  const query = useMemo(() => matchMedia('(prefers-color-scheme: dark)'), []);
  const [isDark, setDark] = useState(query.matches);
  useEffect(() => {
    const look = (): void => setDark(query.matches);
    query.addEventListener('change', look);
    return () => query.removeEventListener('change', look);
  }, [query]);
  return isDark;
}
