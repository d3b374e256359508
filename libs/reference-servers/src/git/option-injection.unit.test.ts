/** Tests an option instead of every argument of every tool, in each type that git could take the argument for. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitTools } from './git-tools.js';
import { type Answer, git, head, Repositories, write } from './repositories.fixture.js';

const EVIL = '--output=evil';

let place: Repositories;
let repo: string;
let before: string;

beforeEach(() => {
  place = new Repositories();
  repo = place.make();
  // A branch of that name, so that it is not refused for want of one.
  writeFileSync(join(repo, '.git/refs/heads', EVIL), `${head(repo)}\n`);
  write(repo, 'new.txt', 'new\n');
  git(repo, 'add', '.');
  before = git(repo, 'for-each-ref');
});
afterEach(() => place.remove());

/** What is required, with values that are fine. */
const FINE = { target: 'main', message: 'a message', files: ['.'], branch_name: 'main', revision: 'main', branch_type: 'local' };

/** The names of the arguments of each tool. */
const ARGUMENTS = new Map(
  gitTools({ roots: ['/'] }).map(({ name, listing }) => [name, Object.keys(listing.inputSchema.properties ?? {})] as const),
);
const PARAMETERS = [...ARGUMENTS].flatMap(([tool, names]) => names.map((parameter) => [tool, parameter] as const));

/** Arguments that may begin like an option, because no option is possible there. */
const IS_A_VALUE: ReadonlySet<string> = new Set(['git_commit message']);

async function call(tool: string, parameter: string, value: string | string[]): Promise<Answer> {
  const known = ARGUMENTS.get(tool) ?? [];
  const fine = Object.fromEntries(Object.entries({ ...FINE, repo_path: repo }).filter(([name]) => known.includes(name)));
  return place.call(tool, { ...fine, [parameter]: value });
}

describe('an option', () => {
  it.each(PARAMETERS)('is none to %s as its %s', async (tool, parameter) => {
    for (const value of [EVIL, [EVIL]]) {
      const { isError } = await call(tool, parameter, value);
      if (!IS_A_VALUE.has(`${tool} ${parameter}`)) expect(isError).toBe(true);
    }
    expect(readdirSync(repo).toSorted()).toEqual(['.git', 'new.txt', 'test.txt']);
    if (tool !== 'git_commit') expect(git(repo, 'for-each-ref')).toBe(before);
  });

  it('was tried in every parameter of the twelve tools', () => {
    expect(new Set(PARAMETERS.map(([tool]) => tool)).size).toBe(12);
    expect(PARAMETERS.length).toBeGreaterThan(25);
  });
});
