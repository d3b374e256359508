/**
 * Tests processes that are killed inside changing calls: every answer is true, and a call without an answer is done completely or not at
 * all.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../chaos/random.js';
import { modernClient, PLAIN_CLIENT } from '../../support/gateway-2026/modern-client.js';
import { Deployment, type Process } from '../../support/deployment.js';
import { scaled } from '../../support/scale.js';
import { waitUntil } from '../../support/wait-until.js';

const SEED = 20_260_728;
const LIMIT_MS = scaled(180_000, 900_000);

/** Has everybody work until so many processes were killed, each after some more answers, and replaced. */
class Killing {
  #answers = 0;
  #isOver = false;
  readonly #random = new Random(SEED);

  constructor(
    private readonly processes: Process[],
    private readonly start: () => Promise<Process>,
  ) {}

  /** @param work is done again and again by each of so many, until all kills are done */
  async during(
    workers: number,
    work: (worker: number, round: number) => Promise<void>,
    kills: number,
    answersBetween: number,
  ): Promise<void> {
    const goOn = async (worker: number): Promise<void> => {
      for (let round = 0; !this.#isOver; round++) {
        await work(worker, round);
        this.#answers += 1;
      }
    };
    const working = Promise.all(Array.from({ length: workers }, (_, worker) => goOn(worker)));
    try {
      await Promise.race([this.#kill(kills, answersBetween), working]);
    } finally {
      this.#isOver = true;
    }
    await working;
  }

  /** Any of the processes that live. */
  any(): Process {
    return this.#random.pick(this.processes);
  }

  async #kill(kills: number, answersBetween: number): Promise<void> {
    for (let kill = 0; kill < kills && !this.#isOver; kill++) {
      const until = this.#answers + this.#random.between(1, answersBetween);
      await waitUntil(() => this.#answers >= until, { timeoutMs: LIMIT_MS, description: `the answers before kill ${kill + 1} have come` });
      const [killed] = this.processes.splice(this.#random.between(0, this.processes.length - 1), 1);
      await killed?.kill();
      this.processes.push(await this.start());
    }
  }
}

describe('create_entities of many writers at two gateways, one of which is killed again and again', { timeout: LIMIT_MS }, () => {
  const EACH = 3;
  const secret = { 'longhaul-caller-secret': 'a-secret-of-32-characters-at-least' };
  const deployment = Deployment.create({ LONGHAUL_FEATURES: '@longhaul/reference-servers/memory' });
  const gateways: Process[] = [];
  const start = (): Promise<Process> => deployment.gateway();
  const namesOf = (call: string): string[] => Array.from({ length: EACH }, (_, index) => `${call}, entity ${index}`);
  /** The writers' knowledge of their calls: whether they were answered. */
  const calls = new Map<string, 'confirmed' | 'unknown'>();

  beforeAll(async () => {
    gateways.push(...(await Promise.all([start(), start()])));
  });
  afterAll(() => deployment.close());

  it('keeps all that was confirmed once, and of every other call all or nothing', async () => {
    const killing = new Killing(gateways, start);
    const write = async (writer: number, round: number): Promise<void> => {
      const name = `writer ${writer}, call ${round}`;
      const entities = namesOf(name).map((entity) => ({ name: entity, entityType: 'thing', observations: [`of ${name}`, 'ünïcödé'] }));
      const answer = await modernClient(killing.any(), PLAIN_CLIENT, secret)
        .tool('create_entities', { entities })
        .catch(() => undefined); // The gateway died.
      if (answer !== undefined) expect(answer).toMatchObject({ status: 200, result: { structuredContent: { entities } } });
      calls.set(name, answer === undefined ? 'unknown' : 'confirmed');
    };
    await killing.during(12, write, scaled(5, 30), 60);
    expect(new Set(calls.values())).toEqual(new Set(['confirmed', 'unknown']));

    const read = await modernClient(killing.any(), PLAIN_CLIENT, secret).tool('read_graph');
    const { entities } = (
      read.result as { structuredContent: { entities: { name: string; entityType: string; observations: string[] }[] } }
    ).structuredContent;
    const present = new Set(entities.map(({ name }) => name));
    expect(present.size).toBe(entities.length);
    for (const [call, outcome] of calls) {
      const found = namesOf(call).filter((name) => present.has(name));
      if (outcome === 'confirmed' || found.length > 0) expect(found).toEqual(namesOf(call));
    }
    for (const { name, ...rest } of entities)
      expect(rest).toEqual({ entityType: 'thing', observations: [`of ${name.split(', entity', 1)[0]}`, 'ünïcödé'] });
  });

  it('counts what the graph takes, and not less of it under the address', async () => {
    const { records, changes, collection, account } = await deployment.store.recordBytes();
    const bytes = records.reduce((sum, { id, json }) => sum + Buffer.byteLength(id + json) + 64, 0);
    expect(collection).toBe(bytes);
    expect(changes).toBe(records.length);
    expect(account).toBeGreaterThanOrEqual(bytes);
  });
});

describe('git_commit of callers on two workers, one of which is killed again and again', { timeout: LIMIT_MS }, () => {
  const REPOSITORIES = 2;
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'killed-')));
  const deployment = Deployment.create({
    LONGHAUL_FEATURES: '@longhaul/reference-servers/git',
    LONGHAUL_GIT_ROOTS: root,
    LONGHAUL_MAX_TASKS_PER_MINUTE: '100000',
    LOG_LEVEL: 'error',
  });
  const workers: Process[] = [];
  const start = (): Promise<Process> => deployment.worker();
  const repoOf = (caller: number): string => join(root, `repo-${caller % REPOSITORIES}`);
  const git = (folder: string, ...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
  let gateway: Process;
  let client: Client;

  beforeAll(async () => {
    for (let repo = 0; repo < REPOSITORIES; repo++) {
      mkdirSync(repoOf(repo));
      git(repoOf(repo), 'init', '--quiet', '--initial-branch=main');
      git(repoOf(repo), 'config', 'user.name', 'Test User');
      git(repoOf(repo), 'config', 'user.email', 'test@example.com');
    }
    gateway = await deployment.gateway();
    workers.push(...(await Promise.all([start(), start()])));
    client = await deployment.client(gateway.url);
  });
  afterAll(async () => {
    await deployment.close();
    rmSync(root, { recursive: true });
  });

  const call = async (isOlder: boolean, name: string, args: Record<string, unknown>): Promise<CallToolResult> =>
    (isOlder
      ? await client.callTool({ name, arguments: args }, undefined, { timeout: LIMIT_MS })
      : (await modernClient(gateway, PLAIN_CLIENT).tool(name, args)).result) as CallToolResult;

  it('makes each commit once that an answer says was made, and none that it says was not', async () => {
    const answers = new Map<string, { readonly repo: string; readonly text: string; readonly isError: boolean }>();
    const commit = async (caller: number, round: number): Promise<void> => {
      const [repo, isOlder] = [repoOf(caller), caller % 3 === 0];
      const file = `of-${caller}-${round}.txt`;
      writeFileSync(join(repo, file), `${file}\n`);
      const added = await call(isOlder, 'git_add', { repo_path: repo, files: [file] });
      expect(added).toMatchObject({ content: [{ text: 'Files staged successfully' }] });
      const { content, isError = false } = await call(isOlder, 'git_commit', { repo_path: repo, message: `adds ${file}` });
      answers.set(`adds ${file}`, { repo, isError, text: content[0]?.type === 'text' ? content[0].text : '' });
    };
    await new Killing(workers, start).during(6, commit, scaled(3, 20), 8);

    const commits = new Map<string, string[]>();
    for (let repo = 0; repo < REPOSITORIES; repo++)
      for (const line of git(repoOf(repo), 'log', '--all', '--format=%H %s').split('\n')) {
        const [id, subject] = [line.slice(0, 40), line.slice(41)];
        commits.set(subject, [...(commits.get(subject) ?? []), `Changes committed successfully with hash ${id}`]);
      }
    for (const [message, { text, isError }] of answers) {
      // Changes that one caller has staged may be in another caller's commit. Then nothing is left for the first caller's commit.
      if (isError) expect(text).toContain('No changes staged for commit.');
      expect(commits.get(message) ?? [], message).toEqual(isError ? [] : [text]);
    }
    expect([...commits.keys()].every((message) => answers.has(message))).toBe(true);
    for (const [message, { repo }] of answers) expect(git(repo, 'ls-files')).toContain(message.slice('adds '.length));
    for (let repo = 0; repo < REPOSITORIES; repo++) git(repoOf(repo), 'fsck', '--strict');
  });
});
