// Runs npm: the npm that runs the script, on the same Node. No PATH decides which ones.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * Runs a program in a folder, quietly.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [env] on top of this process's environment
 * @returns {Promise<string>} its standard output
 * @throws Error with all of its output when it fails
 */
export async function quietly(program, args, cwd, env = {}) {
  try {
    const { stdout } = await execute(program, args, { cwd, env: { ...process.env, ...env }, maxBuffer: MAX_OUTPUT_BYTES });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = /** @type {{ stdout?: string, stderr?: string }} */ (error);
    throw new Error(`${[program, ...args].join(' ')} in ${cwd} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

/**
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [env]
 */
export function npm(args, cwd, env) {
  const entry = process.env['npm_execpath'];
  return entry === undefined ? quietly('npm', args, cwd, env) : quietly(process.execPath, [entry, ...args], cwd, env);
}
