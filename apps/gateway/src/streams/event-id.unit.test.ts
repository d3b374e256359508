import { describe, expect, it } from 'vitest';
import { cursorOf, eventId, newStreamId } from './event-id.js';

describe('an event id', () => {
  it('says which stream it is of, and where to go on', () => {
    const cursor = { streamId: newStreamId(), n: 42 };
    expect(cursorOf(eventId(cursor))).toEqual(cursor);
    expect(cursorOf(eventId({ ...cursor, n: 0 }))?.n).toBe(0);
  });

  it('is of a stream whose id no other one has', () => {
    expect(new Set(Array.from({ length: 100 }, newStreamId)).size).toBe(100);
  });

  it.each(['', '_', 'x_1', 'a'.repeat(22), `${'a'.repeat(22)}_`, `${'a'.repeat(22)}_-1`, `${'a'.repeat(22)}_01`, `${'a'.repeat(23)}_1`])(
    'is not %j',
    (text) => {
      expect(cursorOf(text)).toBeUndefined();
    },
  );

  it('has no characters that mean something in the name of a key', () => {
    expect(cursorOf(`${'a'.repeat(21)}}_1`)).toBeUndefined();
    expect(cursorOf(`${'a'.repeat(21)}:_1`)).toBeUndefined();
  });
});
