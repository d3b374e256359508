import { type GitOptions, runGit, type Settings } from './git-process.js';
import { type GitOutput, shownText } from './git-output.js';

/** What a repository is opened with. */
export interface RepositoryParts {
  /** Its work tree, without links. */
  readonly folder: string;
  /** What belongs to this work tree: index, HEAD. Without links. */
  readonly gitFolder: string;
  /** What all its work trees share. The same as `gitFolder` in most repositories. */
  readonly commonFolder: string;
  readonly settings: Settings;
  readonly signal: AbortSignal;
}

/** A repository whose place and configuration have been looked at. */
export class Repository {
  readonly folder: string;
  readonly gitFolder: string;
  readonly commonFolder: string;
  readonly signal: AbortSignal;

  constructor(private readonly parts: RepositoryParts) {
    ({ folder: this.folder, gitFolder: this.gitFolder, commonFolder: this.commonFolder, signal: this.signal } = parts);
  }

  /** Runs a command in it. Git finds out nothing by itself: neither where the repository is, nor to whom it belongs. */
  async run(args: readonly string[], options: GitOptions = {}): Promise<GitOutput> {
    const { folder, gitFolder, settings, signal } = this.parts;
    const place = [`--git-dir=${gitFolder}`, `--work-tree=${folder}`];
    return runGit({ args: [...place, ...args], folder, settings, signal, shownAs: args, ...options });
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
}
