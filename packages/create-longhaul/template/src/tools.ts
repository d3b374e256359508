/** What is served: `longhaul start ./src/tools.ts` loads what is exported under this name. */
import { buildReport } from './build-report.ts';
import { publishNote } from './publish-note.ts';

export const features = [publishNote, buildReport];

/** For the models of clients. */
export const instructions = 'Notes are published with publish-note, which asks first. build-report counts them.';
