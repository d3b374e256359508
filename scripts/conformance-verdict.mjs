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
 */

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
  const succeeded = checks.filter(({ status }) => status === 'SUCCESS').length;
  const problems = checks
    .filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')
    .map(({ name, status, errorMessage }) => `${status} ${name}${errorMessage === undefined ? '' : `: ${errorMessage}`}`);
  if (succeeded === 0 && problems.length === 0) problems.push('nothing was checked');
  return { scenario, isScored, succeeded, problems };
}

/**
 * @param {string} revision
 * @param {readonly Verdict[]} verdicts
 * @returns {string[]} a line for each scenario, with its problems below, and one for them all
 */
export function table(revision, verdicts) {
  const width = Math.max(...verdicts.map(({ scenario }) => scenario.length));
  const rows = verdicts.flatMap(({ scenario, isScored, succeeded, problems }) => [
    `${problems.length === 0 ? 'passed' : 'FAILED'}  ${isScored ? 'scored  ' : 'unscored'}  ${scenario.padEnd(width)}  ${succeeded} checks`,
    ...problems.map((problem) => `        ${problem}`),
  ]);
  const share = (/** @type {readonly Verdict[]} */ some) =>
    `${some.filter(({ problems }) => problems.length === 0).length} of ${some.length}`;
  const scored = share(verdicts.filter(({ isScored }) => isScored));
  const unscored = share(verdicts.filter(({ isScored }) => !isScored));
  const succeeded = verdicts.reduce((sum, verdict) => sum + verdict.succeeded, 0);
  const wrong = verdicts.reduce((sum, { problems }) => sum + problems.length, 0);
  return [...rows, '', `${revision}: scored scenarios ${scored}, unscored ${unscored}; checks ${succeeded} passed, ${wrong} did not`];
}
