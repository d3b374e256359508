/** A tool for every night: LONGHAUL_FEATURES=./docs/examples/nightly-report.ts LONGHAUL_SCHEDULES=./docs/examples/schedules.json npm start */
import { appendFile } from 'node:fs/promises';
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

const FILE = process.env['REPORT_FILE'] ?? 'report.txt';

const nightlyReport = defineTool({
  name: 'nightly-report',
  description: 'Counts the hours of the last days, and appends a line to the report.',
  input: z.object({ days: z.number().int().min(1).default(1) }),
  task: 'required',
  async run({ days }, context) {
    const hours = await context.step('count', () => days * 24);
    await context.step('append', () => appendFile(FILE, `${hours} hours\n`));
    return `Reported ${hours} hours.`;
  },
});

export const features = [nightlyReport];
