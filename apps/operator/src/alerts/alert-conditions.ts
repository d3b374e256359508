/** Decides from what a deployment shows now which alerts there are. Pure. */
import type { StatsPeriod, WaitingAges } from '@longhaul/tasks';
import type { AlertSettings } from './alert-settings.js';
import { durationInWords } from './alert-words.js';

/** What is seen of a deployment. */
export interface SeenDeployment {
  readonly ages: WaitingAges;
  /** Of a minute each, oldest first, up to now. */
  readonly minutes: readonly StatsPeriod[];
  /** Jobs that are queued or running. */
  readonly work: number;
  readonly hasRoom: boolean;
}

/** The alerts, by the names of their settings. */
export const ALERTS = ['failureRate', 'queueAgeMs', 'questionAgeMs', 'silenceMs', 'storeNearlyFull'] as const;

/** The name of an alert. */
export type AlertName = (typeof ALERTS)[number];

/** An alert in words, with its value and its limit. */
export interface Alert {
  readonly text: string;
  readonly value: number;
  readonly limit: number;
}

const MINUTE_MS = 60_000;
/** The minutes whose failures count together. */
const RATE_MINUTES = 10;
/** A share of fewer tasks says nothing. */
const ENOUGH = 10;

/** The alerts that there are now. */
export function alertsOf(settings: AlertSettings, seen: SeenDeployment): ReadonlyMap<AlertName, Alert> {
  const found: readonly (readonly [AlertName, Alert | undefined])[] = [
    ['failureRate', failureRate(settings.failureRate, seen)],
    ['queueAgeMs', ageAlert('The oldest job has waited', seen.ages.queueAgeMs, settings.queueAgeMs)],
    ['questionAgeMs', ageAlert('The oldest question has been open', seen.ages.questionAgeMs, settings.questionAgeMs)],
    ['silenceMs', silence(settings.silenceMs, seen)],
    ['storeNearlyFull', nearlyFull(settings.storeNearlyFull, seen)],
  ];
  return new Map(found.flatMap(([name, alert]) => (alert === undefined ? [] : [[name, alert]])));
}

function failureRate(limit: number | undefined, { minutes }: SeenDeployment): Alert | undefined {
  const latest = minutes.slice(-RATE_MINUTES);
  const failed = latest.reduce((sum, minute) => sum + minute.failed, 0);
  const ended = latest.reduce((sum, minute) => sum + minute.failed + minute.completed, 0);
  const value = ended === 0 ? 0 : failed / ended;
  if (limit === undefined || ended < ENOUGH || value < limit) return undefined;
  return { text: `${failed} of ${ended} tasks failed in the last ${RATE_MINUTES} minutes.`, value, limit };
}

function ageAlert(what: string, value: number, limit: number | undefined): Alert | undefined {
  return limit === undefined || value < limit ? undefined : { text: `${what} for ${durationInWords(value)}.`, value, limit };
}

/** Nothing has ended for that long, though there was work all the time: a task that was created just now may take its time. */
function silence(limit: number | undefined, { minutes, work }: SeenDeployment): Alert | undefined {
  if (limit === undefined || work === 0) return undefined;
  const lastEnd = minutes.findLastIndex(({ completed, failed, cancelled }) => completed + failed + cancelled > 0);
  const silent = minutes.slice(lastEnd + 1);
  const begun = silent.findIndex(({ created }) => created > 0);
  const value = MINUTE_MS * (begun < 0 ? silent.length : silent.length - begun);
  return value < limit
    ? undefined
    : { text: `No task has ended for ${durationInWords(value)}, and jobs are queued or running: ${work}.`, value, limit };
}

function nearlyFull(isWanted: boolean, { hasRoom }: SeenDeployment): Alert | undefined {
  return isWanted && !hasRoom ? { text: 'The store is nearly full: soon it takes no new tasks.', value: 1, limit: 1 } : undefined;
}
