/** Tests that an operator process sends alerts to a receiver that verifies them, once each, whatever process does so. */
import { rowOf } from '@longhaul/tasks';
import { newTaskId, TaskHistory } from '@longhaul/tasks/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sqlite } from '../../stores/support/stores.js';
import { waitUntil } from '../../support/wait-until.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { operated, type Operated } from '../support/operated.js';

const TWO_MINUTES_MS = 120_000;

describe('alerts', () => {
  let opened: Awaited<ReturnType<typeof sqlite.open>>;
  let receiver: WebhookReceiver;
  const processes: Operated[] = [];
  beforeEach(async () => {
    [opened, receiver] = await Promise.all([sqlite.open(), WebhookReceiver.listen()]);
  });
  afterEach(async () => {
    await stopAll();
    await receiver.close();
    await opened.close();
  });

  async function stopAll(): Promise<void> {
    await Promise.all(processes.splice(0).map(({ operator }) => operator.close()));
  }

  async function start(): Promise<Operated> {
    const { url } = receiver.endpoint();
    const alerts = { url, secrets: [receiver.secret], allowPrivate: true, questionAgeMs: 60_000 };
    const one = await operated(opened.store, { LONGHAUL_ALERTS: JSON.stringify(alerts) });
    processes.push(one);
    one.operator.serveDeployment();
    return one;
  }

  const typesOf = (): string[] => receiver.received.map(({ type }) => type);

  it('come once of all processes when a question has waited too long, and once when it was answered', async () => {
    const task = new TaskHistory(newTaskId(), Date.now() - TWO_MINUTES_MS);
    for (const request of [task.create(), task.claim(), task.ask('count')])
      await opened.store.events.append({ ...request, row: rowOf(request.projection.view) });
    await Promise.all([start(), start()]);
    await waitUntil(() => receiver.received.length > 0, { description: 'the alert has come' });
    await stopAll();
    expect(receiver.received).toMatchObject([
      { type: 'alert.firing', data: { alert: 'questionAgeMs', text: 'The oldest question has been open for 2 minutes.', limit: 60_000 } },
    ]);
    // The next process knows what was sent.
    await start();
    await stopAll();
    expect(typesOf()).toEqual(['alert.firing']);

    const { view } = (await opened.store.events.readOutcome(task.taskId)) ?? {};
    expect(view?.pendingInputs).toHaveLength(1);
    const cancelled = task.cancel();
    await opened.store.events.append({ ...cancelled, row: rowOf(cancelled.projection.view) });
    receiver.answers.push(500);
    await start();
    await waitUntil(() => typesOf().length === 2, { description: 'the end of the alert has come' });
    await stopAll();
    await start();
    await waitUntil(() => typesOf().length === 3, { description: 'it is sent again, because it was not taken' });
    await stopAll();
    await start();
    await stopAll();
    expect(typesOf()).toEqual(['alert.firing', 'alert.resolved', 'alert.resolved']);
    const ids = receiver.received.map(({ id }) => id);
    expect(ids[1]).toBe(ids[2]);
    expect(receiver.problems).toEqual([]);
  });

  it.each([
    ['{}', 'url'],
    ['{"url":"http://alerts.example.com/","secrets":["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],"queueAgeMs":60000}', 'https'],
    ['{"url":"https://alerts.example.com/","secrets":["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]}', 'names no alert'],
    ['{"url":"https://alerts.example.com/","secrets":["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],"queueAgeMs":59999}', 'a minute'],
    ['{"url":"https://alerts.example.com/","secrets":["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],"failureRate":1.1}', '1 at most'],
    ['{"url":"https://alerts.example.com/","secrets":["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],"queueAgeMS":60000}', 'queueAgeMS'],
  ])('are not begun with the setting %s', async (text, said) => {
    await expect(operated(opened.store, { LONGHAUL_ALERTS: text })).rejects.toThrow(said);
  });
});
