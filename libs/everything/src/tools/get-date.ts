import { shortened } from '@longhaul/tasks/text';
import { defineTool } from '@longhaul/mcp-features';
import type { Clock } from '@longhaul/tasks';
import { z } from 'zod';
import { DATE_FORMATS, formatDate, isTimeZone } from './date-formats.js';

const LONGEST_SHOWN = 100;

const input = z.object({
  format: z
    .enum(DATE_FORMATS)
    .default('iso')
    .describe('How the date is written: iso, locale (a sentence in English), date, time, rfc2822, unix (seconds) or unix-ms'),
  timezone: z
    .string()
    .refine(isTimeZone, {
      error: ({ input }) => `"${shortened(String(input), LONGEST_SHOWN)}" is no IANA time zone, such as UTC or Europe/Zurich`,
    })
    .default('UTC')
    .describe('IANA time zone, such as Europe/Zurich or Asia/Seoul'),
});

const output = z.object({
  date: z.string().describe('The date in the format that was asked for'),
  format: z.enum(DATE_FORMATS).describe('That format'),
  timezone: z.string().describe('The time zone in which the date is written'),
  unixMs: z.int().describe('Milliseconds since 1970 began in UTC'),
});

/** The current date and time. */
export function getDate(clock: Clock) {
  return defineTool({
    name: 'get-date',
    title: 'Get Date Tool',
    description: 'Returns the current date and time, in a choice of formats and in any time zone',
    input,
    output,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    run({ format, timezone }) {
      const unixMs = clock();
      const structuredContent: z.output<typeof output> = { date: formatDate(unixMs, format, timezone), format, timezone, unixMs };
      return {
        content: [
          { type: 'text', text: structuredContent.date },
          // For clients that do not read structured content.
          { type: 'text', text: JSON.stringify(structuredContent) },
        ],
        structuredContent,
      };
    },
  });
}
