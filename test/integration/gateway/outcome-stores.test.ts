/** What the stores of outcomes keep to, whichever adapter it is. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { type OpenState, states } from './support/states.js';

describe.each(states)('outcomes in $name', ({ open }) => {
  let opened: OpenState;

  beforeAll(async () => {
    opened = await open();
  }, 60_000);
  afterAll(async () => {
    expect(await opened.keysWithoutTtl()).toEqual([]);
    await opened.close();
  });

  it('let a call begin once, and give what came of it to all others', async () => {
    const { outcomes } = opened.state;
    const id = randomUUID();
    const begun = await Promise.all([1, 2, 3].map(() => outcomes.begin(id, 60_000)));
    expect(begun.filter((known) => known === undefined)).toHaveLength(1);
    expect(begun.filter((known) => known === '')).toHaveLength(2);

    await outcomes.record(id, 'done');
    expect(await outcomes.begin(id, 60_000)).toBe('done');
    expect(await outcomes.begin(randomUUID(), 60_000)).toBeUndefined();
  });

  it('are forgotten after their time, and not recorded later', async () => {
    const { outcomes } = opened.state;
    const id = randomUUID();
    await outcomes.begin(id, 20);
    await waitUntil(async () => (await outcomes.begin(id, 20)) === undefined, { description: 'it is forgotten' });
    const other = randomUUID();
    await outcomes.record(other, 'late');
    expect(await outcomes.begin(other, 1_000)).toBeUndefined();
  });
});
