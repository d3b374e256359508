/** Compares the tables of docs/internals/architecture.md with the code: keys both ways, and the files of a request's path. */
import { DatabaseSync } from 'node:sqlite';
import { featureChannel } from '@longhaul/sessions/store';
import { gatewayKeys, RedisKeys } from '@longhaul/store-redis';
import { openSqliteStore } from '@longhaul/store-sqlite';
import { ScheduleKeys, SessionKeys, WebhookKeys } from '@longhaul/store-redis/testing';
import type { TaskId } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { TestFolder } from '../support/test-folder.js';
import { pathsOf, section, sorted, tableRows } from './documents.js';

const TASK_ID = 'b5fa62aa-7e29-414b-a81b-c563e89da3dd' as TaskId;

/** Every name that the code makes, as the table writes it. */
function namesInCode(): string[] {
  const keys = new RedisKeys();
  const sessions = gatewayKeys('lh');
  const made = [
    ...namesOf(keys),
    ...namesOf(new SessionKeys(keys)),
    ...namesOf(new WebhookKeys(keys)),
    ...namesOf(new ScheduleKeys(keys)),
    sessions.session(TASK_ID),
    sessions.secret,
    sessions.lists,
    featureChannel('lh', '<channel>'),
  ];
  return [...new Set(made.map(asInTable))];
}

function namesOf(keys: object): string[] {
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(keys)).filter((name) => name !== 'constructor' && name !== 'ofOwner');
  const make = keys as Readonly<Record<string, (...args: string[]) => string | readonly string[] | Readonly<Record<string, string>>>>;
  return methods.flatMap((name) => {
    const made = make[name]?.(TASK_ID, 'key') ?? [];
    return typeof made === 'string' ? made : Object.values(made);
  });
}

function asInTable(name: string): string {
  return name
    .replace(/(session:\{)[0-9a-f-]{36}/, '$1<sessionId>')
    .replace(/(sessions:\{)[0-9a-f-]{36}/, '$1<hash>')
    .replace(/(callback:\{)[0-9a-f-]{36}/, '$1<digest>')
    .replace(`{audit-${TASK_ID}}`, '{audit-<chain>}')
    .replace(TASK_ID, '<taskId>')
    .replace(':records:key', ':records:<name>')
    .replace(/:(unfinished|changes):\d+$/, ':$1:<shard>')
    .replace(/\{rows:\d\}/, '{rows:<shard>}')
    .replaceAll(/[0-9a-f]{32,64}/g, '<hash>')
    .replace(/^(\{lh\}:fair:line:)$/, '$1<lane>')
    .replace(/^(\{lh\}:paused:aside:)$/, '$1<pause>')
    .replace(/^(\{lh\}:limits:(?:running|started|held):)$/, '$1<limit>')
    .replace(/^\{lh\}(:tasks:.*)?$/, '{lh}:tasks:…');
}

describe('the table of keys', () => {
  it('has every key and channel, and no other', () => {
    const documented = tableRows(section('docs/internals/architecture.md', 'Keys')).map(([name]) => name);
    expect(sorted(documented)).toEqual(sorted(namesInCode()));
  });
});

describe('the table of tables', () => {
  it('has every table of a data file, and no other', async () => {
    const folder = new TestFolder();
    const store = await openSqliteStore({ path: folder.dataFile, onError: () => undefined });
    const file = new DatabaseSync(folder.dataFile, { readOnly: true });
    const tables = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all();
    file.close();
    await store.close();
    folder.remove();
    const documented = tableRows(section('docs/internals/architecture.md', 'Tables')).map(([name]) => name);
    expect(sorted(documented)).toEqual(sorted(tables.map(({ name }) => String(name))));
  });
});

describe('the files of a way', () => {
  const toTheHandle = tableRows(section('docs/internals/architecture.md', 'The way of a request'));
  const toTheClient = tableRows(section('docs/internals/architecture.md', 'The way of an append to its client'));

  it('are all there', () => {
    const named = [...toTheHandle, ...toTheClient].flat().filter((cell) => cell !== '');
    const present = new Set(pathsOf('{apps,libs}/*/src/**/*.ts'));
    expect(named.filter((file) => !present.has(file))).toEqual([]);
  });
});
