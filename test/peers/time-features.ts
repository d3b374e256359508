/** The tools of Time with the clock that the suite of the reference sets. */
import { readFileSync } from 'node:fs';
import { timeTools } from '@longhaul/reference-servers/time';

const clock = (): number => Math.floor(Number(readFileSync(process.env['PEERS_CLOCK'] ?? '', 'utf8')));

/** Read by `loadFeatures`. */
export const features = timeTools({ localTimeZone: process.env['LONGHAUL_LOCAL_TIMEZONE'] ?? 'UTC', clock });
