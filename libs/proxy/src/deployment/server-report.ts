/** The report of a process about the servers that it uses. It is kept for operators, who see the reports of all processes. */
import { z } from 'zod';

/** A server that is `idle` has no connection, and no caller needs one. */
export const SERVER_STATES = ['connected', 'connecting', 'away', 'idle', 'off', 'closed'] as const;

const durations = z.array(z.tuple([z.number(), z.number()]));
const counts = {
  /** Calls that have ended. */
  calls: z.number(),
  /** Those of them that have ended with an error, or with a result that is one. A call that is cancelled is none. */
  errors: z.number(),
  running: z.number(),
  /** As `DurationHistogram` gives it. */
  durations,
};

const toolReport = z.object({
  /** As the server calls it. */
  name: z.string(),
  /** As clients call it; absent where it is not served. */
  as: z.string().optional(),
  task: z.enum(['forbidden', 'optional', 'required']).optional(),
  ...counts,
});

const serverReport = z.object({
  name: z.string(),
  transport: z.enum(['stdio', 'http', 'sse']),
  /** Its command or URL as it is written in the file. */
  shown: z.string(),
  /** Whether this process keeps it connected, also without a call. */
  isKept: z.boolean(),
  state: z.enum(SERVER_STATES),
  /** Times are epoch milliseconds. */
  since: z.number(),
  restarts: z.number(),
  lastError: z.string().optional(),
  lastErrorAt: z.number().optional(),
  triedAgainAt: z.number().optional(),
  about: z.object({ name: z.string().optional(), version: z.string().optional(), protocolVersion: z.string() }).optional(),
  connections: z.number(),
  ...counts,
  tools: z.array(toolReport),
  /** Tools for which there was no room. */
  toolsLeftOut: z.number(),
});

const processReport = z.object({
  process: z.string(),
  role: z.enum(['gateway', 'worker', 'isolated', 'operator']),
  at: z.number(),
  servers: z.array(serverReport),
});

export type ToolReport = z.infer<typeof toolReport>;
export type ServerReport = z.infer<typeof serverReport>;
export type ProcessReport = z.infer<typeof processReport>;

/** A report that was kept; nothing for one that a process of another version has written. */
export function reportIn(text: string): ProcessReport | undefined {
  try {
    return processReport.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // It is no JSON.
  }
}
