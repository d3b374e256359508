/** Defines `LONGHAUL_ALERTS`: where alerts go, and from when on there is one. */
import { durationInWords } from './alert-words.js';
import { jsonSetting } from '@longhaul/runtime/json-setting';
import { problemOfUrl, webhookSecrets } from '@longhaul/runtime/webhook-settings';
import { z } from 'zod';

const MINUTE_MS = 60_000;
/** What is counted by the minute reaches back for an hour. */
const MOST_SILENCE_MS = 60 * MINUTE_MS;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;

const share = z.number().gt(0, 'must be more than 0').max(1, 'must be 1 at most').optional();
const duration = (mostMs: number) =>
  z
    .int('must be a whole number of milliseconds')
    .min(MINUTE_MS, 'must be a minute (60000) at least')
    .max(mostMs, `must be ${durationInWords(mostMs)} (${mostMs}) at most`)
    .optional();

/** The setting: an object as JSON, or the path of a file with it. */
export const alertsSetting = jsonSetting(
  z
    .strictObject({
      url: z.string(),
      secrets: webhookSecrets,
      allowPrivate: z.boolean().default(false),
      failureRate: share,
      queueAgeMs: duration(WEEK_MS),
      questionAgeMs: duration(WEEK_MS),
      silenceMs: duration(MOST_SILENCE_MS),
      storeNearlyFull: z.boolean().default(false),
    })
    .superRefine(({ url, allowPrivate }, context) => {
      const problem = problemOfUrl(url, allowPrivate);
      if (problem !== undefined) context.addIssue({ code: 'custom', path: ['url'], message: problem });
    })
    .refine(
      ({ failureRate, queueAgeMs, questionAgeMs, silenceMs, storeNearlyFull }) =>
        storeNearlyFull || [failureRate, queueAgeMs, questionAgeMs, silenceMs].some((limit) => limit !== undefined),
      'names no alert: set failureRate, queueAgeMs, questionAgeMs, silenceMs or storeNearlyFull',
    ),
);

/** Where alerts go, and their limits. */
export type AlertSettings = Readonly<NonNullable<z.output<typeof alertsSetting>>>;
