/** What earlier versions have stored is read for ever: each file of `test/fixtures/event-shapes` is what the version of its name wrote. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fromStored, type StoredEvent } from '../../ports/stored-event.js';
import type { TaskEventType } from '../events.js';
import { fold } from '../evolve.js';
import { project } from '../projections/project.js';
import type { TaskView } from '../projections/task-view.js';

interface Recorded {
  readonly title: string;
  readonly events: readonly StoredEvent[];
  /** The view that the version made of it. */
  readonly view: TaskView;
}

const FOLDER = new URL('../../../../../test/fixtures/event-shapes/', import.meta.url);
const versions = readdirSync(FOLDER).map((file) => ({
  version: file.slice(0, -'.json'.length),
  histories: JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as readonly Recorded[],
}));
const stored = versions.flatMap(({ version, histories }) => histories.map((history) => ({ version, ...history })));
const ofToday = stored.filter(({ version }) => version === '0.1.0').flatMap(({ events }) => events);

/** Complete, or it does not compile. */
const TYPES: Readonly<Record<TaskEventType, true>> = {
  TaskCreated: true,
  PassStarted: true,
  StepStarted: true,
  StepCompleted: true,
  StepFailed: true,
  InputRequested: true,
  InputReceived: true,
  AnswerRefused: true,
  TimerScheduled: true,
  TimerFired: true,
  PassSuspended: true,
  StatusReported: true,
  ProgressReported: true,
  NotificationSent: true,
  PassFailed: true,
  TaskContinued: true,
  TaskCompleted: true,
  TaskFailed: true,
  TaskCancelled: true,
};

describe('the stored shapes of today', () => {
  it('are of every type of event', () => {
    expect([...new Set(ofToday.map(({ type }) => type))].toSorted()).toEqual(Object.keys(TYPES).toSorted());
  });

  it('are read as they are', () => {
    for (const event of ofToday) {
      const { at } = JSON.parse(event.meta) as { at: number };
      expect(fromStored(event)).toEqual({ type: event.type, at, data: JSON.parse(event.data) as unknown });
    }
  });
});

describe.each(stored)('stored by $version, $title', ({ events, view }) => {
  it('still has all of the view that it had', () => {
    expect(project(view.taskId, fold(events.map(fromStored))).view).toMatchObject(view);
  });
});
