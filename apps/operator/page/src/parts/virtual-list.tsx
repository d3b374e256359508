/** Shows a long list, and renders only the rows near the visible part. All rows have one height. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Additional rows around the visible part, so that scrolling shows no gap. */
const AROUND = 12;

export interface VirtualListProps<T> {
  readonly label: string;
  readonly items: readonly T[];
  /** Pixels, equal to the style sheet's value. */
  readonly rowHeight: number;
  readonly keyOf: (item: T) => string | number;
  readonly row: (item: T, position: number) => ComponentChildren;
}

export function VirtualList<T>({ label, items, rowHeight, keyOf, row }: VirtualListProps<T>) {
  const box = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ top: 0, height: 600 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    let frame = 0;
    const look = (): void => {
      frame = 0;
      setPlace({ top: element.scrollTop, height: element.clientHeight });
    };
    const onScroll = (): void => void (frame ||= requestAnimationFrame(look));
    element.addEventListener('scroll', onScroll, { passive: true });
    const observer = new ResizeObserver(onScroll);
    observer.observe(element);
    return () => {
      cancelAnimationFrame(frame);
      element.removeEventListener('scroll', onScroll);
      observer.disconnect();
    };
  }, []);
  const first = Math.max(0, Math.floor(place.top / rowHeight) - AROUND);
  const last = Math.min(items.length, Math.ceil((place.top + place.height) / rowHeight) + AROUND);
  return (
    <div class="virtual" ref={box} tabIndex={0} role="region" aria-label={label}>
      <ol style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, last).map((item, at) => (
          <li
            key={keyOf(item)}
            aria-setsize={items.length}
            aria-posinset={first + at + 1}
            style={{ top: `${(first + at) * rowHeight}px`, height: `${rowHeight}px` }}
          >
            {row(item, first + at)}
          </li>
        ))}
      </ol>
    </div>
  );
}
