import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { oneAtATime, untilUnlocked } from './one-at-a-time.js';
import { openRepository } from './open-repository.js';
import { Repositories } from './repositories.fixture.js';
import type { Repository } from './repository.js';

let place: Repositories;
let repository: Repository;
let controller: AbortController;

beforeEach(async () => {
  place = new Repositories();
  controller = new AbortController();
  repository = await openRepository({ path: place.make(), roots: [place.folder], signal: controller.signal });
});
afterEach(() => place.remove());

describe('writers of one repository', () => {
  it('run one after the other, also after one that fails', async () => {
    const order: string[] = [];
    const writer = (name: string, fails = false) =>
      oneAtATime(repository, async () => {
        order.push(`${name} begins`);
        await repository.run(['status']);
        order.push(`${name} ends`);
        if (fails) throw new Error(name);
      });
    const results = await Promise.allSettled([writer('a'), writer('b', true), writer('c')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('do not begin when they are cancelled in the queue', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const other = await openRepository({ path: repository.folder, roots: [place.folder], signal: new AbortController().signal });
    const first = oneAtATime(other, () => promise);
    const second = oneAtATime(repository, async () => 'ran');
    controller.abort(new Error('cancelled'));
    resolve();
    await first;
    await expect(second).rejects.toThrow('cancelled');
  });

  it('name the lock that is never free', async () => {
    const lock = join(repository.gitFolder, 'index.lock');
    writeFileSync(lock, '');
    const adding = untilUnlocked(repository, () => repository.run(['add', '.']), 50);
    await expect(adding).rejects.toThrow(`If there is none, one has died: remove '${lock}' and try again.`);
  });
});
