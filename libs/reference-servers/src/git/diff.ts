import { refuseOption } from './git-failure.js';
import { requireObject } from './objects.js';
import type { Repository } from './repository.js';

const OPTIONS = ['--no-ext-diff', '--no-textconv', '--no-color', '--submodule=short', '--ignore-submodules=dirty'];

/** The differences between the work tree and the index, or with `--cached` between the index and HEAD. */
export async function showDiff(repository: Repository, contextLines: number, ...args: readonly '--cached'[]): Promise<string> {
  const shownAs = ['diff', `--unified=${contextLines}`, ...args];
  return repository.text([...shownAs, ...OPTIONS, '--'], { shownAs });
}

/** The differences between a revision and the work tree. */
export async function showDiffWith(repository: Repository, target: string, contextLines: number): Promise<string> {
  refuseOption('Invalid target', target);
  const { id } = await requireObject(repository, target);
  const shown = ['diff', `--unified=${contextLines}`];
  return repository.text([...shown, ...OPTIONS, id, '--'], { shownAs: [...shown, target] });
}
