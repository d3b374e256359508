/**
 * Defines every metric by its OpenTelemetry name: no other module names metrics. Prometheus' names have `_` instead of `.`, and end with
 * the unit.
 */

/** A metric. */
export interface Instrument {
  /** UCUM: `s` for seconds, `{task}` for a number of tasks. */
  readonly unit: string;
  readonly description: string;
  /** Upper bounds of the buckets of a histogram. */
  readonly buckets?: readonly number[];
}

/** The buckets that the conventions for MCP name. */
const OPERATION_SECONDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300] as const;
/** Tasks, passes and steps take from milliseconds to days. */
const WORK_SECONDS = [0.005, 0.02, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1_800, 7_200, 86_400] as const;
/** The buckets that the conventions for databases name. */
const COMMAND_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10] as const;

export const COUNTERS = {
  'longhaul.tasks.created': { unit: '{task}', description: 'Tasks that were created, by tool.' },
  'longhaul.tasks.ended': { unit: '{task}', description: 'Tasks that have ended, by tool and outcome.' },
  'longhaul.passes.started': { unit: '{pass}', description: 'Passes that a worker has claimed, by tool.' },
  'longhaul.passes.lost': { unit: '{pass}', description: 'Passes that another worker took over, because theirs was lost.' },
  'longhaul.passes.retried': { unit: '{pass}', description: 'Passes in which a tool failed and is tried again.' },
  'longhaul.steps.retried': { unit: '{step}', description: 'Tries of steps that failed and are made again.' },
  'longhaul.tasks.cost': { unit: '{currency}', description: 'What tasks have spent, by tool.' },
  'longhaul.tasks.tokens': { unit: '{token}', description: 'Tokens of models that tasks have used, by tool.' },
  'longhaul.agent.requests': { unit: '{request}', description: 'Requests of agents to models, also those in vain, by model and error.' },
  'longhaul.agent.tokens': {
    unit: '{token}',
    description: 'Tokens of these requests as endpoints count them, by model and type: input, cached, output or reasoning.',
  },
  'longhaul.agent.cost': { unit: '{currency}', description: 'What these requests cost by the prices of the models, by model.' },
  'longhaul.sweep.repairs': {
    unit: '{repair}',
    description: 'What the sweep has repaired: lost jobs, lost passes, deadlines that had passed.',
  },
  'longhaul.webhooks.tries': {
    unit: '{try}',
    description: 'Webhooks that this worker has tried to deliver, by outcome: delivered, failed or given-up.',
  },
  'longhaul.schedules.starts': {
    unit: '{task}',
    description: 'Tasks that this worker has started for schedules, by cause: time, queue, backfill or run.',
  },
  'longhaul.schedules.skips': {
    unit: '{time}',
    description: 'Times of schedules that this worker has skipped, by reason: paused, outage, overlap, refused or started.',
  },
  'longhaul.schedules.refusals': {
    unit: '{try}',
    description: 'Tries to start the task of a schedule that were refused, by code. Each is made again within its window.',
  },
  'longhaul.servers.restarts': {
    unit: '{restart}',
    description: 'How often a connection to a proxied server was lost, or was made again, by server.',
  },
  'longhaul.requests.refused': { unit: '{request}', description: 'Requests that were refused before a method ran, by HTTP status.' },
  'longhaul.sessions.opened': { unit: '{session}', description: 'Sessions that clients have opened.' },
  'longhaul.sessions.ended': {
    unit: '{session}',
    description: 'Sessions that clients have ended; expired ones are not counted.',
  },
} as const satisfies Readonly<Record<string, Instrument>>;

export const HISTOGRAMS = {
  'mcp.server.operation.duration': { unit: 's', description: 'How long requests took, by method and tool.', buckets: OPERATION_SECONDS },
  'mcp.server.session.duration': {
    unit: 's',
    description: 'How long sessions lasted that their clients have ended.',
    buckets: OPERATION_SECONDS,
  },
  'mcp.client.operation.duration': {
    unit: 's',
    description: 'How long calls of tools of proxied servers took, by server and tool.',
    buckets: WORK_SECONDS,
  },
  'gen_ai.client.operation.duration': {
    unit: 's',
    description: 'How long requests of agents to models took, by model and error.',
    buckets: OPERATION_SECONDS,
  },
  'longhaul.task.duration': { unit: 's', description: 'From the creation of a task to its end.', buckets: WORK_SECONDS },
  'longhaul.pass.pickup.duration': { unit: 's', description: 'From when a pass was due until a worker began it.', buckets: WORK_SECONDS },
  'longhaul.schedule.lateness': {
    unit: 's',
    description: 'From when a task of a schedule was due until it was started.',
    buckets: WORK_SECONDS,
  },
  'longhaul.step.duration': { unit: 's', description: 'How long tries of steps took.', buckets: WORK_SECONDS },
  'db.client.operation.duration': {
    unit: 's',
    description: 'How long commands of Redis took, with the time on the network.',
    buckets: COMMAND_SECONDS,
  },
} as const satisfies Readonly<Record<string, Instrument>>;

export const GAUGES = {
  'longhaul.passes.running': { unit: '{pass}', description: 'Passes that run on this worker.' },
  'longhaul.streams.open': { unit: '{stream}', description: 'Event streams that are open at this gateway.' },
  'longhaul.servers.connections': { unit: '{connection}', description: 'Connections of this process to a proxied server, by server.' },
  'longhaul.servers.connected': {
    unit: '{server}',
    description: 'Whether this gateway is connected to a proxied server, 1 or 0, by server. A server that is turned off is left out.',
  },
  'longhaul.servers.calls.running': { unit: '{call}', description: 'Calls of a proxied server that run in this process, by server.' },
  'longhaul.warnings': {
    unit: '{warning}',
    description: 'What makes the deployment work less well, as this process sees it, by kind.',
  },
  'longhaul.tasks.unfinished': {
    unit: '{task}',
    description: 'Tasks of the whole deployment that have not ended. Every process reports the same.',
  },
  'longhaul.queue.depth': {
    unit: '{job}',
    description: 'Jobs of the whole deployment that wait for a worker. Every process reports the same.',
  },
  'longhaul.queue.oldest': {
    unit: 's',
    description: 'For how long the oldest of the waiting jobs has been due. Every process reports the same.',
  },
  'longhaul.queue.paused': {
    unit: '{job}',
    description: 'Jobs of the whole deployment that are set aside while they are paused. Every process reports the same.',
  },
  'longhaul.schedules': {
    unit: '{schedule}',
    description: 'Schedules of the whole deployment. Each worker reports the same.',
  },
  'longhaul.webhooks.pending': {
    unit: '{recipient}',
    description:
      'Endpoints of tasks, of the whole deployment, that have webhooks to send. Each worker that sends webhooks reports the same.',
  },
  'longhaul.webhooks.failing': {
    unit: '{recipient}',
    description: 'Those of them with a failed latest try. Each worker that sends webhooks reports the same.',
  },
  'longhaul.webhooks.given_up': {
    unit: '{recipient}',
    description: 'Endpoints of tasks for which a webhook was given up within 8 days. Each worker that sends webhooks reports the same.',
  },
} as const satisfies Readonly<Record<string, Instrument>>;

export type CounterName = keyof typeof COUNTERS;
export type HistogramName = keyof typeof HISTOGRAMS;
export type GaugeName = keyof typeof GAUGES;

/** The Prometheus name of an instrument, which is the same as the OpenTelemetry collector's. */
export function prometheusName(name: string, { unit }: Pick<Instrument, 'unit'>): string {
  const base = name.replaceAll('.', '_');
  return unit === 's' ? `${base}_seconds` : base;
}
