// Checks the version of Node. It uses old syntax and no static imports: this file must also load on a Node that is far too old, to say so.

var NEEDED_MAJOR = 22;
var NEEDED_MINOR = 18;

/**
 * Says in one line why a Node cannot run Longhaul.
 *
 * @param {string} version as in `process.versions.node`
 * @returns {string | undefined} undefined when it can
 */
function tooOld(version) {
  var parts = version.split('.');
  var major = Number(parts[0]);
  var minor = Number(parts[1]);
  if (major > NEEDED_MAJOR || (major === NEEDED_MAJOR && minor >= NEEDED_MINOR)) return undefined;
  return (
    'Longhaul needs Node ' +
    NEEDED_MAJOR +
    '.' +
    NEEDED_MINOR +
    ' or newer, this is Node ' +
    version +
    ': install a newer one. In a clone on Linux, npm scripts run on one that is installed by `npm ci`: npm start.'
  );
}

/** Ends the process with that line and exit code 1 when this Node is too old. */
export function requireNode() {
  var problem = tooOld(process.versions.node);
  if (problem === undefined) return;
  process.stderr.write(problem + '\n');
  process.exit(1);
}
