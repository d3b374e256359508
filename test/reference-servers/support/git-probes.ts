/** What Git is asked on both sides, and what happens to both repositories meanwhile. */
import { join } from 'node:path';
import { call } from '../../everything/support/probe.js';
import { git } from './equal-repositories.js';
import type { SideClient } from './side-client.js';
import type { SideProbe } from './side-by-side.js';

const REPO = '<place>';
export const OTHERS = `${REPO}/others`;

/** Hashes and times of commits that were made meanwhile; those of the repository are of 2024. */
function sinceNow(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replace(/\b[0-9a-f]{40}\b/g, '<hash>')
    .replace(/\b20(?!24)\d\d-\d\d-\d\d \d\d:\d\d:\d\d/g, '<now>');
  return JSON.parse(text) as unknown;
}

export const on = (tool: string, args: Record<string, unknown> = {}, note = '', repo_path: string = REPO): SideProbe =>
  call(tool, { repo_path, ...args }, {}, note);

let looked = 0;
/** The same where there are commits of now. */
export const later = (tool: string, args: Record<string, unknown> = {}, repo_path: string = REPO): SideProbe => {
  looked += 1;
  const { name } = on(tool, args, `later ${looked}`, repo_path);
  return {
    name,
    run: async (client: SideClient) => sinceNow(await client.request('tools/call', { name: tool, arguments: { repo_path, ...args } })),
  };
};

const shown = (folder: string, args: readonly string[]): readonly string[] => {
  try {
    return git(folder, args).split('\n');
  } catch (error) {
    return [String(error)];
  }
};

/** What git itself says of both repositories. */
export const state = (folder = ''): SideProbe => {
  looked += 1;
  return {
    name: `the state of ${folder === '' ? 'the repository' : folder}, ${looked}`,
    run: async ({ place }: SideClient) =>
      [
        ['status', '--porcelain', '--branch'],
        ['ls-files', '--stage'],
        ['for-each-ref', '--format=%(refname) %(objecttype) %(tree)'],
        ['log', '--all', '--format=%T %an %ae %cn %ce %s'],
        ['fsck', '--strict', '--no-dangling'],
      ].map((args) => shown(join(place, folder), args)),
  };
};

/** Something that somebody else does in both repositories. */
export const meanwhile = (name: string, act: (folder: string) => void): SideProbe => ({
  name,
  run: async ({ place }: SideClient) => act(place),
});
