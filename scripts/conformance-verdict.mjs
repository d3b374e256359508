/**
 * Judges a run of the official conformance suite. It is stricter than the suite. The suite's exit code leaves out the scenarios that it
 * does not score, and a scenario without any check counts as passed there.
 */

/**
 * @typedef {'server' | 'client'} Leg which side of the connection is tested
 */

/**
 * @typedef {object} Requirements the used part of the suite's requirements on servers and clients for one revision of the protocol
 * @property {readonly string[]} server the scenarios that are scored
 * @property {readonly string[]} client the same for clients
 * @property {readonly { scenario: string, leg: string }[]} not_scored the scenarios of servers and clients that are not scored
 */

/**
 * @typedef {object} Check
 * @property {string} name
 * @property {string} status `SUCCESS`, `INFO`, `FAILURE`, `WARNING` or `SKIPPED`
 * @property {string} [errorMessage]
 */

/**
 * @typedef {object} Verdict on one scenario
 * @property {string} scenario
 * @property {boolean} isScored
 * @property {number} succeeded how many checks did
 * @property {readonly string[]} problems why it has not passed, if it has not
 * @property {string} [exception] why it can neither pass nor fail
 */

/**
 * Checks that the suite skips at every implementation, and the reason. One that is made after all is judged like the
 * others. A scenario without any other can neither pass nor fail.
 *
 * @type {Readonly<Record<string, { readonly checks: readonly string[], readonly reason: string }>>}
 */
const EXCEPTIONS = {
  'tasks-status-notifications': {
    checks: ['TasksStatusNotificationsScenario'],
    reason: 'the suite skips it at every server, until it can listen on the stream of subscriptions/listen',
  },
  'http-standard-headers': {
    checks: ['ClientMcpMethodHeader_initialize', 'ClientMcpMethodHeader_notifications_initialized'],
    reason: 'the revision of the scenario has neither of these methods',
  },
};

/**
 * @typedef {Readonly<Record<string, { readonly checks: readonly string[], readonly reason: string }>>} Differences checks that do not
 *   succeed here, by scenario, and why that is right
 */

/**
 * @param {Requirements} requirements
 * @param {Leg} leg
 * @param {ReadonlyMap<string, readonly Check[]>} checks by the scenario that made them
 * @param {Differences} [differences]
 * @returns {Verdict[]} one on each scenario that is required of this side
 */
export function judge(requirements, leg, checks, differences = {}) {
  const unscored = requirements.not_scored.filter((entry) => entry.leg === leg).map(({ scenario }) => scenario);
  return [
    ...requirements[leg].map((scenario) => verdictOn(scenario, true, checks.get(scenario) ?? [], differences[scenario])),
    ...unscored.map((scenario) => verdictOn(scenario, false, checks.get(scenario) ?? [], differences[scenario])),
  ];
}

/**
 * @param {string} scenario
 * @param {boolean} isScored
 * @param {readonly Check[]} checks
 * @param {Differences[string]} [different]
 * @returns {Verdict}
 */
function verdictOn(scenario, isScored, checks, different) {
  const skipped = EXCEPTIONS[scenario];
  const isExcepted = (/** @type {Check} */ { name, status }) =>
    (status === 'SKIPPED' && skipped?.checks.includes(name)) || (status !== 'SUCCESS' && different?.checks.includes(name));
  const judged = checks.filter((check) => !isExcepted(check));
  const reason = (different ?? skipped)?.reason;
  const succeeded = judged.filter(({ status }) => status === 'SUCCESS').length;
  const problems = judged
    .filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')
    .map(({ name, status, errorMessage }) => `${status} ${name}${errorMessage === undefined ? '' : `: ${errorMessage}`}`);
  const verdict = { scenario, isScored, succeeded, problems };
  if (succeeded > 0 || problems.length > 0) return verdict;
  if (reason !== undefined && (different?.checks.length === 0 || judged.length < checks.length)) return { ...verdict, exception: reason };
  return { ...verdict, problems: ['nothing was checked'] };
}

/**
 * The suite ignores how a client ends when it runs several scenarios.
 *
 * @param {string} stdout the output of the client: its last line is `done`, or the reason of its failure
 * @returns {Check}
 */
export function clientCheck(stdout) {
  const last = stdout.trimEnd().split('\n').at(-1);
  const name = 'the client did what it should';
  return last === 'done' ? { name, status: 'SUCCESS' } : { name, status: 'FAILURE', errorMessage: last || 'it did not end' };
}

/**
 * @param {readonly Verdict[]} verdicts
 * @returns {{ readonly passed: number, readonly failed: number }} how many have; those that could neither are in none of them
 */
export function counts(verdicts) {
  const failed = verdicts.filter(({ problems }) => problems.length > 0).length;
  const skipped = verdicts.filter(({ exception }) => exception !== undefined).length;
  return { passed: verdicts.length - failed - skipped, failed };
}

/**
 * @param {string} title
 * @param {readonly Verdict[]} verdicts
 * @returns {string[]} a line for each scenario, with its problems below, and one for them all
 */
export function table(title, verdicts) {
  const width = Math.max(...verdicts.map(({ scenario }) => scenario.length));
  const rows = verdicts.flatMap((verdict) => [
    `${wordFor(verdict)}  ${verdict.isScored ? 'scored  ' : 'unscored'}  ${verdict.scenario.padEnd(width)}  ${verdict.succeeded} checks`,
    ...[...verdict.problems, verdict.exception ?? []].flat().map((line) => `         ${line}`),
  ]);
  const share = (/** @type {readonly Verdict[]} */ some) => {
    const { passed, failed } = counts(some);
    const skipped = some.length - passed - failed;
    return `${passed} of ${some.length}${skipped === 0 ? '' : ` (${skipped} skipped)`}`;
  };
  const scored = share(verdicts.filter(({ isScored }) => isScored));
  const unscored = share(verdicts.filter(({ isScored }) => !isScored));
  const succeeded = verdicts.reduce((sum, verdict) => sum + verdict.succeeded, 0);
  const wrong = verdicts.reduce((sum, { problems }) => sum + problems.length, 0);
  return [...rows, '', `${title}: scored scenarios ${scored}, unscored ${unscored}; checks ${succeeded} passed, ${wrong} did not`];
}

/** @param {Verdict} verdict */
function wordFor({ problems, exception }) {
  if (exception !== undefined) return 'skipped';
  return problems.length === 0 ? 'passed ' : 'FAILED ';
}
