/** Installs the reference servers that are written in Python. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { once, run } from '../support/installation.ts';
import { installPython, pip } from '../support/python-environment.ts';
import type { Peer } from './catalogue.ts';

const REQUIREMENTS = fileURLToPath(new URL('python/peers.txt', import.meta.url));

/**
 * Installs the dependencies of the suites, and the servers from their source archives, which contain the suites.
 *
 * @returns a Python that has them, and the folder of the sources
 * @throws Error when they cannot be installed
 */
export function installPeers(wanted: readonly Pick<Peer, 'name' | 'version'>[]): { readonly python: string; readonly sources: string } {
  const python = installPython(REQUIREMENTS);
  const sources = join(dirname(python), '../sources');
  for (const { name, version } of wanted) {
    once(join(sources, `${name}.installed`), Buffer.from(version), () => {
      const fromSource = ['--no-deps', '--no-build-isolation'];
      pip(python, ['download', ...fromSource, '--no-binary', ':all:', '-d', sources, `mcp-server-${name}==${version}`]);
      const archive = join(sources, `mcp_server_${name}-${version}.tar.gz`);
      pip(python, ['install', ...fromSource, archive]);
      run('tar', ['-xzf', archive, '-C', sources], sources);
    });
  }
  return { python, sources };
}
