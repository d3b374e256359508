import { GitFailure } from './git-failure.js';
import { runGit, safeSettings } from './git-process.js';
import { shownText } from './git-output.js';
/** A list of files may be longer than what is shown. */
export const MAX_LIST_BYTES = 64 * 1024 * 1024;
/** A repository whose place and configuration have been looked at. */
export class Repository {
    parts;
    folder;
    gitFolder;
    commonFolder;
    signal;
    #settings;
    constructor(parts) {
        this.parts = parts;
        ({ folder: this.folder, gitFolder: this.gitFolder, commonFolder: this.commonFolder, signal: this.signal } = parts);
        this.#settings = safeSettings(parts.configured);
    }
    /** Runs a command in it. Git finds out nothing by itself: neither where the repository is, nor to whom it belongs. */
    async run(args, options = {}) {
        const { folder, gitFolder, signal } = this;
        const place = [`--git-dir=${gitFolder}`, `--work-tree=${folder}`];
        return runGit({ args: [...place, ...args], folder, settings: this.#settings, signal, shownAs: args, ...options });
    }
    /** Runs a command. @returns its output as it is shown, cut with a note where it is too long */
    async text(args, options = {}) {
        return shownText(await this.run(args, options));
    }
    /** Runs a command. @returns its lines; nothing when it ends with an error */
    async lines(args) {
        const { stdout } = await this.run(args);
        return stdout.toString('utf8').split('\n').slice(0, -1);
    }
    /** Runs a command that lists. @returns what stands before each null byte @throws GitFailure when the list is too long */
    async list(args, options = {}) {
        const { stdout, isCut } = await this.run(args, { maxBytes: MAX_LIST_BYTES, ...options });
        if (isCut)
            throw new GitFailure(`The list of its files has more than ${MAX_LIST_BYTES} bytes, which is too much for this tool`);
        return stdout.toString('utf8').split('\0').slice(0, -1);
    }
}
//# sourceMappingURL=repository.js.map