/** Shows finished actions once, also to screen readers. */
import { signal } from '@preact/signals';

const SHOWN_MS = 8_000;

const notices = signal<readonly { readonly id: number; readonly text: string }[]>([]);
let last = 0;

export function notify(text: string): void {
  last += 1;
  const id = last;
  notices.value = [...notices.value, { id, text }];
  setTimeout(() => (notices.value = notices.value.filter((notice) => notice.id !== id)), SHOWN_MS);
}

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
