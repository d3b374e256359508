import { openMemoryStore } from '@longhaul/store-sqlite';
import { createKeyRing } from '@longhaul/runtime/keys';
import { expect, it } from 'vitest';
import { TaskHistory } from '../testing/task-history.js';
import { codecOf } from './encryption.js';
import { viewFrom, viewText } from './view-text.js';

const FORGED = { statusMessage: 'forged', traceState: 'a=forged', progress: { progress: 1 }, progressToken: 1 };

it.each([true, false])(
  'a view that says in plain what is encrypted of it is refused, where plain values are taken: %s',
  async (takesPlain) => {
    const codec = codecOf(openMemoryStore().dataKeys, { ring: createKeyRing('a key of a deployment'), takesPlain });
    const task = new TaskHistory();
    for (const add of [() => task.create(), () => task.claim(), () => task.status('said')]) add();
    const { view } = task.projection;
    const text = viewText(view, await codec.sealFor(view.owner));
    expect(await viewFrom(codec, view, text)).toEqual(view);
    for (const [name, value] of Object.entries(FORGED)) {
      const forged = JSON.stringify({ ...(JSON.parse(text) as object), [name]: value });
      await expect(async () => viewFrom(codec, view, forged)).rejects.toMatchObject({ code: 'VALUE_NOT_GENUINE' });
    }
  },
);

it('a view without anything encrypted is refused as soon as it says something, where only encrypted values are taken', async () => {
  const codec = codecOf(openMemoryStore().dataKeys, { ring: createKeyRing('a key of a deployment'), takesPlain: false });
  const task = new TaskHistory();
  task.create();
  const { view } = task.projection;
  const text = viewText(view, await codec.sealFor(view.owner));
  expect(await viewFrom(codec, view, text)).toEqual(view);
  for (const [name, value] of Object.entries(FORGED)) {
    const forged = JSON.stringify({ ...(JSON.parse(text) as object), [name]: value });
    await expect(async () => viewFrom(codec, view, forged)).rejects.toMatchObject({ code: 'VALUE_NOT_GENUINE' });
  }
});

it('a view is read in which a later version says more, in plain and sealed, and all of that is sealed from then on', async () => {
  const codec = codecOf(openMemoryStore().dataKeys, { ring: createKeyRing('a key of a deployment'), takesPlain: false });
  const task = new TaskHistory();
  for (const add of [() => task.create(), () => task.claim(), () => task.status('said')]) add();
  const { view } = task.projection;
  const later = { ...view, tokens: ['approved'], standing: { ...view.standing, urgency: 'high' } };
  const seal = await codec.sealFor(view.owner);
  const { standing, ...kept } = JSON.parse(viewText(later, seal)) as typeof view;
  const text = JSON.stringify({ ...kept, region: 'west', standing: { ...standing, shard: 3 } });
  const read = { ...later, region: 'west', standing: { ...later.standing, shard: 3 } };
  expect(await viewFrom(codec, view, text)).toEqual(read);
  const written = viewText(read, seal);
  for (const said of ['approved', 'high', 'west', 'shard']) expect(written).not.toContain(said);
  expect(await viewFrom(codec, view, written)).toEqual(read);
});
