/** Reads the environment variables of the time tools. */
import { parseVariables } from '@longhaul/runtime/environment';
import { settings } from '@longhaul/runtime/settings';
import { z } from 'zod';
import { checkTimeZone } from './time-zone.js';

/** The settings of the time tools. */
export interface TimeSettings {
  /** A zone that the tools take. */
  readonly localTimeZone: string;
  /** A message to operators, if the system's zone could not be used. */
  readonly notices: readonly string[];
}

const FALLBACK = 'UTC';

const environment = z.object(
  settings('tools', {
    LONGHAUL_LOCAL_TIMEZONE: z.string().refine(isTimeZone, 'must be the name of a time zone such as Europe/Berlin').optional().meta({
      allowed: 'the name of a time zone, such as `Europe/Berlin`',
      description: "The time zone for the time tools if your user names none. By default the system's (`TZ`), or `UTC`",
      readBy: 'gateway',
    }),
  }),
);

/**
 * The zone of `LONGHAUL_LOCAL_TIMEZONE`, else the system's. A system may name a zone that no tool takes: an abbreviation such as `EDT`, or
 * a rule such as `CET-1CEST`. Then `UTC` is used instead, with a notice.
 *
 * @param ofSystem the zone that JavaScript takes for the system's; not a text if there is none
 * @throws ConfigError naming each wrong variable, its value and the allowed values
 */
export function readSettings(env: NodeJS.ProcessEnv, ofSystem: unknown = Intl.DateTimeFormat().resolvedOptions().timeZone): TimeSettings {
  const { LONGHAUL_LOCAL_TIMEZONE: set } = parseVariables(environment, env);
  if (set !== undefined) return { localTimeZone: set, notices: [] };
  const tz = env['TZ'] ?? '';
  const system = tz === '' ? ofSystem : nameIn(tz);
  if (typeof system === 'string' && isTimeZone(system)) return { localTimeZone: system, notices: [] };
  // An empty TZ means UTC.
  if (tz === '' && env['TZ'] !== undefined) return { localTimeZone: FALLBACK, notices: [] };
  const what = tz === '' ? "The system's time zone is not known" : `TZ=${tz} is not the name of a time zone such as Europe/Berlin`;
  const notice = `${what}, so the time tools offer ${FALLBACK} as the local one. Set LONGHAUL_LOCAL_TIMEZONE to change that.`;
  return { localTimeZone: FALLBACK, notices: [notice] };
}

/** `TZ` may have a colon before the name, or the path of the zone's file. */
function nameIn(tz: string): string {
  return tz.replace(/^:/, '').replace(/^\/.*\/zoneinfo\//, '');
}

function isTimeZone(name: string): boolean {
  try {
    checkTimeZone(name);
    return true;
  } catch {
    return false;
  }
}
