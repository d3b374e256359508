/** Shows the record of a task: every event with all its data; a text search finds events. */
import { firstCharacters } from '../parts/first-characters.js';
import { useMemo, useState } from 'preact/hooks';
import type { HistoryEvent } from '../../../src/answers.js';
import { Json } from '../parts/json.js';
import { Failure } from '../parts/state.js';
import { VirtualList } from '../parts/virtual-list.js';
import { timeText } from '../parts/time.js';
import type { TaskFeed } from './task-feed.js';

/** Equal to the style sheet's value. */
const ROW_HEIGHT = 32;
const BRIEF_CHARACTERS = 160;

/** The searched text of each event, made once. */
const texts = new WeakMap<HistoryEvent, string>();

function textOf(event: HistoryEvent): string {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const text = JSON.stringify(event.data);
  texts.set(event, text);
  return text;
}

function fits(event: HistoryEvent, wanted: string): boolean {
  return event.type.toLowerCase().includes(wanted) || textOf(event).toLowerCase().includes(wanted);
}

export function History({ feed }: { readonly feed: TaskFeed }) {
  const [text, setText] = useState('');
  const [selected, setSelected] = useState<HistoryEvent | undefined>(undefined);
  const events = feed.events.value;
  const wanted = text.trim().toLowerCase();
  const shown = useMemo(() => (wanted === '' ? events : events.filter((event) => fits(event, wanted))), [events, wanted]);
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      <label class="field inline">
        <span>Events with the text</span>
        <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <p class="quiet" aria-live="polite">
        {shown.length.toLocaleString()} of {events.length.toLocaleString()} events
      </p>
      <div class="history">
        <VirtualList
          label="Events"
          items={shown}
          rowHeight={ROW_HEIGHT}
          keyOf={({ version }) => version}
          row={(event) => <Row event={event} isSelected={event === selected} select={setSelected} />}
        />
        {selected !== undefined && (
          <aside aria-label="Selected event">
            <h3>
              {selected.version} {selected.type}
            </h3>
            <Json value={selected.data} label={`Data of event ${selected.version}`} />
          </aside>
        )}
      </div>
      {feed.historyError.value !== undefined && <Failure message={feed.historyError.value} retry={() => void feed.loadMore()} />}
      {feed.next.value !== undefined && events.length > 0 && !feed.isLoading.value && (
        <button type="button" onClick={() => void feed.loadMore()}>
          Load more of the history
        </button>
      )}
    </section>
  );
}

interface RowProps {
  readonly event: HistoryEvent;
  readonly isSelected: boolean;
  readonly select: (event: HistoryEvent) => void;
}

function Row({ event, isSelected, select }: RowProps) {
  return (
    <button type="button" class="event" aria-pressed={isSelected} onClick={() => select(event)}>
      <span class="number">{event.version}</span>
      <time dateTime={event.at}>{timeText(event.at)}</time>
      <strong>{event.type}</strong>
      <code>{firstCharacters(textOf(event), BRIEF_CHARACTERS)}</code>
    </button>
  );
}
