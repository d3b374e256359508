import { KNOWN_CLIENTS } from './known-clients.js';
import type { PlainCallSettings } from './plain-calls.js';

/** The settings of plain calls that are handed over after a second. */
export const PLAIN_CALL_SETTINGS: PlainCallSettings = {
  syncWaitMs: 1_000,
  longestWaitMs: 3_600_000,
  signOfLifeMs: 15_000,
  onAbandoned: 'auto',
  knownClients: KNOWN_CLIENTS,
  isBare: false,
  keptQuestions: [],
};
