import { describe, expect, it } from 'vitest';
import { fakeRequest } from '@longhaul/mcp-features/testing';
import { getDate } from './get-date.js';

const SUMMER = Date.UTC(2026, 6, 3, 21, 4, 5, 67);
const tool = getDate(() => SUMMER);
const dateOf = async (args: object) => (await tool.call(args, fakeRequest())).structuredContent?.['date'];

describe('get-date', () => {
  it('is in UTC and ISO by default, as a text and as structured content', async () => {
    const structuredContent = { date: '2026-07-03T21:04:05.067Z', format: 'iso', timezone: 'UTC', unixMs: SUMMER };
    expect(await tool.call({}, fakeRequest())).toEqual({
      content: [
        { type: 'text', text: '2026-07-03T21:04:05.067Z' },
        { type: 'text', text: JSON.stringify(structuredContent) },
      ],
      structuredContent,
    });
  });

  it.each([
    ['iso', '2026-07-03T21:04:05.067Z', '2026-07-04T06:34:05.067+09:30'],
    ['date', '2026-07-03', '2026-07-04'],
    ['time', '21:04:05', '06:34:05'],
    ['rfc2822', 'Fri, 03 Jul 2026 21:04:05 +0000', 'Sat, 04 Jul 2026 06:34:05 +0930'],
    ['unix', '1783112645', '1783112645'],
    ['unix-ms', '1783112645067', '1783112645067'],
  ])('writes %s in UTC and in Darwin', async (format, utc, darwin) => {
    expect(await dateOf({ format })).toBe(utc);
    expect(await dateOf({ format, timezone: 'Australia/Darwin' })).toBe(darwin);
  });

  it('writes a sentence in English', async () => {
    expect(await dateOf({ format: 'locale', timezone: 'Europe/Zurich' })).toMatch(/^Friday, July 3, 2026 at 11:04:05\sPM GMT\+2$/);
  });

  it('knows daylight saving, and zones west of UTC', async () => {
    const winter = getDate(() => Date.UTC(2026, 0, 1, 2));
    const inNewYork = { timezone: 'America/New_York' };
    expect(await dateOf(inNewYork)).toBe('2026-07-03T17:04:05.067-04:00');
    expect((await winter.call(inNewYork, fakeRequest())).structuredContent?.['date']).toBe('2025-12-31T21:00:00.000-05:00');
    expect(await dateOf({ format: 'rfc2822', ...inNewYork })).toBe('Fri, 03 Jul 2026 17:04:05 -0400');
  });

  it('names a time zone that there is not, and the formats that there are', async () => {
    expect(await tool.call({ timezone: 'Mars/Base' }, fakeRequest())).toEqual({
      isError: true,
      content: [
        {
          type: 'text',
          text: 'Invalid arguments for tool get-date: timezone: "Mars/Base" is no IANA time zone, such as UTC or Europe/Zurich',
        },
      ],
    });
    expect(JSON.stringify(await tool.call({ format: 'roman' }, fakeRequest()))).toContain('format: Invalid option');
    expect(JSON.stringify(await tool.call({ timezone: 'x'.repeat(10_000) }, fakeRequest())).length).toBeLessThan(300);
  });
});
