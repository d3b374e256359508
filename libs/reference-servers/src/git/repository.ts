import { GitFailure } from './git-failure.js';
import { type GitOptions, runGit, safeSettings, type Settings } from './git-process.js';
import { type GitOutput, shownText } from './git-output.js';

/** A list of files may be longer than the shown part. */
export const MAX_LIST_BYTES = 64 * 1024 * 1024;

/** The settings for opening a repository. */
export interface RepositoryParts {
  /** Its work tree, without links. */
  readonly folder: string;
  /** The folder of this work tree's own data: index, HEAD. Without links. */
  readonly gitFolder: string;
  /** The folder that all its work trees share. The same as `gitFolder` in most repositories. */
  readonly commonFolder: string;
  /** The names of all settings in its configuration, and in the configurations of submodules in which git may start itself. */
  readonly configured: readonly string[];
  readonly signal: AbortSignal;
}

/** A repository with a checked location and configuration. */
export class Repository {
  readonly folder: string;
  readonly gitFolder: string;
  readonly commonFolder: string;
  readonly signal: AbortSignal;
  readonly #settings: Settings;

  constructor(readonly parts: RepositoryParts) {
    ({ folder: this.folder, gitFolder: this.gitFolder, commonFolder: this.commonFolder, signal: this.signal } = parts);
    this.#settings = safeSettings(parts.configured);
  }

  /** Runs a command in it. Git finds out nothing by itself: neither where the repository is, nor to whom it belongs. */
  async run(args: readonly string[], options: GitOptions = {}): Promise<GitOutput> {
    const { folder, gitFolder, signal } = this;
    const place = [`--git-dir=${gitFolder}`, `--work-tree=${folder}`];
    return runGit({ args: [...place, ...args], folder, settings: this.#settings, signal, shownAs: args, ...options });
  }

  /** Runs a command. @returns its output as it is shown, cut with a note where it is too long */
  async text(args: readonly string[], options: GitOptions = {}): Promise<string> {
    return shownText(await this.run(args, options));
  }

  /** Runs a command. @returns its lines; nothing when it ends with an error */
  async lines(args: readonly string[]): Promise<readonly string[]> {
    const { stdout } = await this.run(args);
    return stdout.toString('utf8').split('\n').slice(0, -1);
  }

  /** Runs a command that lists. @returns what stands before each null byte @throws GitFailure when the list is too long */
  async list(args: readonly string[], options: GitOptions = {}): Promise<readonly string[]> {
    const { stdout, isCut } = await this.run(args, { maxBytes: MAX_LIST_BYTES, ...options });
    if (isCut) throw new GitFailure(`The list of its files has more than ${MAX_LIST_BYTES} bytes, which is too much for this tool`);
    return stdout.toString('utf8').split('\0').slice(0, -1);
  }
}
