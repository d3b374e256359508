/** Shows when things happened to a task: its passes, its waits, and each step, question and timer with its tries. */
import { firstCharacters } from '../parts/first-characters.js';
import { useMemo, useState } from 'preact/hooks';
import type { TimelinePage } from '../../../src/answers.js';
import { Table } from '../parts/table.js';
import { durationText, timeText } from '../parts/time.js';
import { type Bar, type Lane, lanesOf, type Look } from './lanes.js';

/** Pixels of the drawing. */
const LANE = 24;
const BAR = 14;
const AXIS = 22;
const NAMES = 180;
const WIDTH = 1_000;
const MIN_BAR = 3;
const TICKS = 5;
const NAME_CHARACTERS = 26;

const LOOKS: readonly (readonly [Look, string])[] = [
  ['good', 'done'],
  ['busy', 'runs'],
  ['bad', 'failed'],
  ['lost', 'lost with its worker'],
  ['waits', 'waits'],
  ['ended', 'given up or taken over'],
];

export interface TimelineProps {
  readonly page: TimelinePage;
  /** When the task was created. */
  readonly from: string;
  /** When it ended. */
  readonly to: string | undefined;
}

export function Timeline({ page, from, to }: TimelineProps) {
  const [zoom, setZoom] = useState(1);
  const until = useMemo(() => (to === undefined ? Date.now() : Date.parse(to)), [page, to]);
  const lanes = useMemo(() => lanesOf(page, until), [page, until]);
  const bars = lanes.flatMap((lane) => lane.bars);
  // A drawing of the latest entries begins at the first one.
  const begin = page.next === undefined ? Date.parse(from) : until;
  const span = { from: Math.min(begin, ...bars.map((bar) => bar.from)), to: Math.max(until, ...bars.map((bar) => bar.to)) };
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <p class="legend">
        {LOOKS.map(([look, text]) => (
          <span key={look}>
            <svg width="14" height="14" aria-hidden="true">
              <rect class={`bar ${look}`} width="14" height="14" rx="2" />
            </svg>{' '}
            {text}
          </span>
        ))}
        <label>
          Zoom{' '}
          <select value={String(zoom)} onChange={(event) => setZoom(Number(event.currentTarget.value))}>
            {[1, 2, 4, 8, 16].map((factor) => (
              <option key={factor} value={String(factor)}>
                {factor}×
              </option>
            ))}
          </select>
        </label>
      </p>
      <Drawing lanes={lanes} span={span} zoom={zoom} />
      {page.next !== undefined && (
        <p class="quiet">
          Only the latest {page.operations.length.toLocaleString()} of {page.counts.operations.toLocaleString()} operations are drawn; the
          history has all.
        </p>
      )}
      <AsTable lanes={lanes} />
    </section>
  );
}

interface DrawingProps {
  readonly lanes: readonly Lane[];
  readonly span: { readonly from: number; readonly to: number };
  readonly zoom: number;
}

function Drawing({ lanes, span, zoom }: DrawingProps) {
  const width = WIDTH * zoom;
  const height = AXIS + lanes.length * LANE;
  const lengthMs = Math.max(1, span.to - span.from);
  const xOf = (at: number): number => ((at - span.from) / lengthMs) * width;
  return (
    <div class="timeline" tabIndex={0} role="region" aria-label="Drawing of the timeline">
      <svg
        width={NAMES + width}
        height={height}
        role="img"
        aria-label={`Timeline of ${durationText(lengthMs)}; the table below has the same`}
      >
        <Axis lengthMs={lengthMs} ticks={TICKS * zoom} width={width} height={height} />
        {lanes.map(({ id, name, bars }, at) => (
          <g key={id} transform={`translate(0 ${AXIS + at * LANE})`}>
            <text class="name" x="4" y={LANE / 2 + 4}>
              {name.length > NAME_CHARACTERS ? `${firstCharacters(name, NAME_CHARACTERS - 1)}…` : name}
            </text>
            {bars.map((bar, number) => (
              <Block key={number} bar={bar} x={NAMES + xOf(bar.from)} width={Math.max(MIN_BAR, xOf(bar.to) - xOf(bar.from))} />
            ))}
          </g>
        ))}
      </svg>
    </div>
  );
}

function Block({ bar, x, width }: { readonly bar: Bar; readonly x: number; readonly width: number }) {
  return (
    <rect class={`bar ${bar.look}`} x={x} y={(LANE - BAR) / 2} width={width} height={BAR} rx="2">
      <title>{bar.text}</title>
    </rect>
  );
}

interface AxisProps {
  readonly lengthMs: number;
  readonly ticks: number;
  readonly width: number;
  readonly height: number;
}

function Axis({ lengthMs, ticks, width, height }: AxisProps) {
  const places = Array.from({ length: ticks + 1 }, (_, at) => at / ticks);
  return (
    <g class="axis">
      {places.map((place) => (
        <g key={place} transform={`translate(${NAMES + place * width} 0)`}>
          <line y1={AXIS - 4} y2={height} />
          <text y={AXIS - 8} text-anchor={place === 1 ? 'end' : 'start'}>
            {durationText(place * lengthMs)}
          </text>
        </g>
      ))}
    </g>
  );
}

/** The same as a table, for readers of text. */
function AsTable({ lanes }: { readonly lanes: readonly Lane[] }) {
  const [isOpen, setOpen] = useState(false);
  const rows = isOpen ? lanes.flatMap(({ id, bars }) => bars.map((bar, at) => ({ id: `${id} ${at}`, bar }))) : [];
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The timeline as a table</summary>
      {isOpen && (
        <Table
          label="Timeline as a table"
          rows={rows.toSorted((left, right) => left.bar.from - right.bar.from)}
          keyOf={({ id }) => id}
          columns={[
            { title: 'From', cell: ({ bar }) => timeText(bar.from) },
            { title: 'For', cell: ({ bar }) => durationText(bar.to - bar.from), isNumber: true },
            { title: 'What', cell: ({ bar }) => bar.text },
          ]}
        />
      )}
    </details>
  );
}
