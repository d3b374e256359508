/** Helm, as the tests of the chart run it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { env } from 'node:process';
import { once, run } from '../../support/installation.js';
import { repository } from './run.js';

/** Built where there is no other. */
const MODULE = 'helm.sh/helm/v3/cmd/helm@v3.22.0';
/** What Helm takes the cluster for. */
const KUBERNETES = '1.33.0';
const bin = join(repository, 'node_modules/.cache/helm');

/** What Helm has printed, and whether it was content. */
export interface HelmRun {
  readonly ok: boolean;
  readonly output: string;
}

/**
 * Finds a Helm, or builds one, which takes minutes, and is kept.
 *
 * @returns the program
 * @throws Error when there is neither Helm nor a Go to build it
 */
export function provideHelm(): string {
  if (works('helm', ['version'])) return 'helm';
  if (!works('go', ['version']))
    throw new Error('The tests of the chart need Helm 3: install it (or Go, which builds it) and run them again.');
  once(join(bin, '.installed'), Buffer.from(MODULE), () => {
    env['GOBIN'] = bin;
    run('go', ['install', MODULE], repository);
  });
  return join(bin, 'helm');
}

/** Runs a command of Helm on the chart, with values as in a file. */
export function helm(program: string, command: 'lint' | 'template', values: object): HelmRun {
  const args = command === 'lint' ? ['lint', '--strict'] : ['template', 'longhaul'];
  const chart = join(repository, 'deploy/helm/longhaul');
  const common = [chart, '--namespace', 'longhaul', '--kube-version', KUBERNETES, '--values', '-'];
  const { status, stdout, stderr } = spawnSync(program, [...args, ...common], { input: JSON.stringify(values), encoding: 'utf8' });
  return { ok: status === 0, output: stdout + stderr };
}

function works(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args).status === 0;
}
