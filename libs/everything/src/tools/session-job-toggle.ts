import { z } from 'zod';
import { defineTool, type InlineTool } from '@longhaul/mcp-features';

/** A tool that starts a session job, and stops it when it runs. */
export interface SessionJobToggle {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The name of the session job. */
  readonly job: string;
  /** The text for the client, by the id of its session. */
  readonly started: (sessionId: string) => string;
  readonly stopped: (sessionId: string) => string;
}

export function defineSessionJobToggle({ job, started, stopped, ...tool }: SessionJobToggle): InlineTool {
  return defineTool({
    ...tool,
    input: z.object({}),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    needsSession: true,
    async run(_args, { session }) {
      if (session === undefined) throw new Error(`${tool.name} needs a session.`);
      // Whether it runs is asked by starting it: of two calls at the same time, one starts and one stops.
      if (await session.startJob(job)) return started(session.id);
      await session.stopJob(job);
      return stopped(session.id);
    },
  });
}
