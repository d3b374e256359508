/** Shows when things happened to a task, as a tree that opens in place, and follows the task while it goes on. */
import { useMemo, useRef, useState } from 'preact/hooks';
import type { TimelinePage } from '../../../src/answers.js';
import { messageOf } from '../api/client.js';
import { usePolled } from '../api/loaded.js';
import { durationText, now } from '../parts/time.js';
import type { Look } from './bars.js';
import { latestOf } from './latest.js';
import { Axis, Bars } from './drawing.js';
import { OperationValues } from './operation-values.js';
import { goesOn, type Row, rowsOf, shownTasks, spanOf } from './tree.js';

/** How often called tasks that go on are looked at. */
const EVERY_MS = 2_000;
const ZOOMS = [1, 2, 4, 8, 16] as const;
/** Deeper rows are indented no further. */
const MAX_INDENT = 8;

const LOOKS: readonly (readonly [Look, string])[] = [
  ['good', 'done'],
  ['busy', 'runs'],
  ['bad', 'failed'],
  ['lost', 'lost with its worker'],
  ['waits', 'waits'],
  ['ended', 'given up or taken over'],
];

export interface TimelineProps {
  readonly taskId: string;
  readonly page: TimelinePage;
  /** When the task was created. */
  readonly from: string;
  /** When it ended. */
  readonly to: string | undefined;
}

export function Timeline({ taskId, page, from, to }: TimelineProps) {
  const [zoom, setZoom] = useState<number>(1);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const { pages, problems } = useRef<Timelines>({ pages: new Map(), problems: new Map() }).current;
  pages.set(taskId, page);
  const isLive = to === undefined || [...pages.values()].some(goesOn);
  const until = isLive ? now.value : Date.parse(to);
  const rows = rowsOf({ taskId, pages, problems, open, until });
  const shown = shownTasks(rows);
  // What is closed is not looked at any more, and is loaded again when it is opened.
  for (const id of pages.keys()) if (id !== taskId && !shown.includes(id)) pages.delete(id);
  useTimelines(shown, { pages, problems });
  // A drawing of the latest entries begins at the first one.
  const span = spanOf(rows, page.next === undefined ? Date.parse(from) : until, until);
  const toggle = (id: string): void => setOpen(open.has(id) ? new Set([...open].filter((one) => one !== id)) : new Set([...open, id]));
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <Legend zoom={zoom} setZoom={setZoom} />
      <div class="timeline" tabIndex={0} role="region" aria-label="Timeline of the task">
        <div class={`lines zoom-${zoom}`} role="treegrid" aria-label="What the task did">
          <div class="line head" role="row">
            <span role="columnheader">What</span>
            <span role="columnheader">How it went</span>
            <span role="columnheader">
              <Axis lengthMs={span.to - span.from} zoom={zoom} />
            </span>
          </div>
          {rows.map((row) => (
            <Line key={row.id} row={row} span={span} toggle={toggle} />
          ))}
        </div>
      </div>
      {page.next !== undefined && (
        <p class="quiet">
          Only the latest {page.operations.length.toLocaleString()} of {page.counts.operations.toLocaleString()} operations are drawn; the
          history has all.
        </p>
      )}
    </section>
  );
}

/** What is loaded, by task. */
interface Timelines {
  readonly pages: Map<string, TimelinePage>;
  readonly problems: Map<string, string>;
}

/** Loads the timelines of called tasks, and those that go on again and again. */
function useTimelines(taskIds: readonly string[], { pages, problems }: Timelines): void {
  const load = async (taskId: string, signal: AbortSignal): Promise<void> => {
    try {
      pages.set(taskId, await latestOf(taskId, signal));
      problems.delete(taskId);
    } catch (error) {
      if (!signal.aborted) problems.set(taskId, messageOf(error));
    }
  };
  const isWanted = (page: TimelinePage | undefined): boolean => page === undefined || goesOn(page);
  const rounds = usePolled(
    async (signal) => {
      const wanted = taskIds.filter((id) => isWanted(pages.get(id)));
      await Promise.all(wanted.map((id) => load(id, signal)));
      return wanted;
    },
    [taskIds.join()],
    EVERY_MS,
  );
  // Each round may have changed what is shown.
  void rounds.data.value;
}

interface LegendProps {
  readonly zoom: number;
  readonly setZoom: (zoom: number) => void;
}

function Legend({ zoom, setZoom }: LegendProps) {
  return (
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
          {ZOOMS.map((factor) => (
            <option key={factor} value={String(factor)}>
              {factor}×
            </option>
          ))}
        </select>
      </label>
    </p>
  );
}

interface LineProps {
  readonly row: Row;
  readonly span: { readonly from: number; readonly to: number };
  readonly toggle: (id: string) => void;
}

function Line({ row, span, toggle }: LineProps) {
  const { id, depth, name, status, bars, isOpen, shows } = row;
  const lasts = useMemo(() => spanOf([{ ...row, bars }], Infinity, -Infinity), [bars]);
  const indent = { paddingLeft: `${0.5 + 1.25 * (Math.min(depth, MAX_INDENT) - 1)}rem` };
  return (
    <>
      <div class="line" role="row" aria-level={depth} {...(isOpen !== undefined && { 'aria-expanded': isOpen })}>
        <span role="rowheader" style={indent}>
          {isOpen === undefined ? (
            name
          ) : (
            <button type="button" class="toggle" aria-expanded={isOpen} onClick={() => toggle(id)}>
              <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> {name}
            </button>
          )}
        </span>
        <span role="gridcell" class="how" title={status}>
          {status}
          {lasts.to >= lasts.from && <span class="quiet"> {durationText(lasts.to - lasts.from)}</span>}
        </span>
        <span role="gridcell" class="when">
          <Bars bars={bars} span={span} />
        </span>
      </div>
      {isOpen === true && shows !== undefined && (
        <div class="line wide" role="row" aria-level={depth + 1}>
          <div role="gridcell" aria-colspan={3} style={indent}>
            <OperationValues shown={shows} />
          </div>
        </div>
      )}
    </>
  );
}
