import { expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import { ParkedTaskTaker } from './parked-task-taker.js';

it('puts all jobs of an owner into one lane, which says nothing of the owner, and those of others into other lanes', async () => {
  const engine = new Engine(async (context) => context.listRoots());
  const taskId = await engine.create();
  await engine.create({ owner: 'grace' });
  const [lane, other] = engine.jobs.map(({ job }) => job.lane);
  expect(lane).toMatch(/^[\w-]{11}$/);
  expect(other).toMatch(/^[\w-]{11}$/);
  expect(other).not.toBe(lane);

  await engine.settle();
  await engine.answer(taskId, '$roots', { roots: [] });
  expect(engine.jobs, 'after an answer').toMatchObject([{ job: { taskId, lane } }]);

  engine.jobs.length = 0;
  engine.now += 60_000;
  await engine.sweep();
  expect(
    engine.jobs.filter(({ job }) => job.taskId === taskId),
    'in the place of a lost job',
  ).toMatchObject([{ job: { lane } }]);
});

it('leaves a task that was given back in its lane', async () => {
  const engine = new Engine(async () => 'well');
  await engine.create();
  const lane = engine.jobs[0]?.job.lane;
  const take = async (): Promise<void> => {
    const { parked, queue } = engine.store;
    const worker = { version: 'two', knows: () => true };
    const taker = new ParkedTaskTaker({ parked, queue, worker, concurrency: 1, onError: (error) => engine.errors.push(error) });
    await taker.start();
    await taker.take(await parked.groups());
    taker.stop();
  };
  await engine.deliver(engine.worker('w1', { workflows: () => undefined }));
  await take();
  expect(engine.jobs).toMatchObject([{ job: { lane }, givenBack: { asked: ['one'] } }]);
  // A worker that was asked before does not look at the task.
  await engine.deliver(engine.worker('w1'));
  await take();
  expect(engine.jobs).toMatchObject([{ job: { lane } }]);
});
