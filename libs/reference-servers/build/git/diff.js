import { refuseOption } from './git-failure.js';
import { requireObject } from './objects.js';
const OPTIONS = ['--no-ext-diff', '--no-textconv', '--no-color', '--submodule=short', '--ignore-submodules=dirty'];
/** What differs between the work tree and the index, or with `--cached` between the index and HEAD. */
export async function showDiff(repository, contextLines, ...args) {
    const shownAs = ['diff', `--unified=${contextLines}`, ...args];
    return repository.text([...shownAs, ...OPTIONS, '--'], { shownAs });
}
/** What differs between a revision and the work tree. */
export async function showDiffWith(repository, target, contextLines) {
    refuseOption('Invalid target', target);
    const { id } = await requireObject(repository, target);
    const shown = ['diff', `--unified=${contextLines}`];
    return repository.text([...shown, ...OPTIONS, id, '--'], { shownAs: [...shown, target] });
}
//# sourceMappingURL=diff.js.map