/**
 * Judges a run of the official conformance suite. It is stricter than the suite, whose exit code leaves out the
 * scenarios that it does not score, and which takes a scenario for passed when nothing in it was checked.
 */

/**
 * @typedef {object} Requirements what the suite has a server do for one revision of the protocol, as far as it is needed
 * @property {readonly string[]} server the scenarios that are scored
 * @property {readonly { scenario: string, leg: string }[]} not_scored those that are not, of servers and clients
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
 * Scenarios of which the suite checks nothing, at any server: the name of the check that says so, and the reason. One
 * that is run after all is judged like the others.
 *
 * @type {Readonly<Record<string, { readonly check: string, readonly reason: string }>>}
 */
const EXCEPTIONS = {
  'tasks-status-notifications': {
    check: 'TasksStatusNotificationsScenario',
    reason: 'the suite skips it at every server, until it can listen on the stream of subscriptions/listen',
  },
};

/**
 * @param {Requirements} requirements
 * @param {ReadonlyMap<string, readonly Check[]>} checks by the scenario that made them
 * @returns {Verdict[]} one on each scenario that is required of a server
 */
export function judge({ server, not_scored: notScored }, checks) {
  const unscored = notScored.filter(({ leg }) => leg === 'server').map(({ scenario }) => scenario);
  return [
    ...server.map((scenario) => verdictOn(scenario, true, checks.get(scenario) ?? [])),
    ...unscored.map((scenario) => verdictOn(scenario, false, checks.get(scenario) ?? [])),
  ];
}

/**
 * @param {string} scenario
 * @param {boolean} isScored
 * @param {readonly Check[]} checks
 * @returns {Verdict}
 */
function verdictOn(scenario, isScored, checks) {
  const exception = exceptionOf(scenario, checks);
  if (exception !== undefined) return { scenario, isScored, succeeded: 0, problems: [], exception };
  const succeeded = checks.filter(({ status }) => status === 'SUCCESS').length;
  const problems = checks
    .filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')
    .map(({ name, status, errorMessage }) => `${status} ${name}${errorMessage === undefined ? '' : `: ${errorMessage}`}`);
  if (succeeded === 0 && problems.length === 0) problems.push('nothing was checked');
  return { scenario, isScored, succeeded, problems };
}

/**
 * @param {string} scenario
 * @param {readonly Check[]} checks
 */
function exceptionOf(scenario, checks) {
  const { check, reason } = EXCEPTIONS[scenario] ?? {};
  const [only, ...others] = checks;
  return only?.status === 'SKIPPED' && only.name === check && others.length === 0 ? reason : undefined;
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
 * @param {string} revision
 * @param {readonly Verdict[]} verdicts
 * @returns {string[]} a line for each scenario, with its problems below, and one for them all
 */
export function table(revision, verdicts) {
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
  return [...rows, '', `${revision}: scored scenarios ${scored}, unscored ${unscored}; checks ${succeeded} passed, ${wrong} did not`];
}

/** @param {Verdict} verdict */
function wordFor({ problems, exception }) {
  if (exception !== undefined) return 'skipped';
  return problems.length === 0 ? 'passed ' : 'FAILED ';
}
