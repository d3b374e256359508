import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Sqlite } from './open.js';
import { faultOf } from './fault.js';
import { nodeSqlite } from './node-sqlite.js';
import { dataFiles } from './data-files.fixture.js';

describe('channels between those that have a data file open', () => {
  const files = dataFiles();
  /** The messages of a channel, `-` where some may have been missed. */
  const heardBy = ({ channels }: Sqlite, name = 'letters'): string[] => {
    const heard: string[] = [];
    channels.add(name, (message) => heard.push(message ?? '-'));
    return heard;
  };

  it('bring messages in order to every one, whichever was first, and to the sender itself', async () => {
    const all = [await files.open(), await files.open(), await files.open()];
    const heard = all.map((sqlite) => heardBy(sqlite));
    const other = heardBy(all[1]!, 'other');
    const letters = Array.from({ length: 200 }, (_, index) => `letter ${index} é\n`);
    for (const [sender, { channels }] of all.entries()) {
      for (const letter of letters) channels.publish('letters', letter);
      await expect.poll(() => heard.map(({ length }) => length)).toEqual(all.map(() => letters.length * (sender + 1)));
    }
    for (const messages of heard) expect(messages).toEqual([...letters, ...letters, ...letters]);
    expect(other).toEqual([]);
  });

  it('call nobody within the call that publishes', async () => {
    const sqlite = await files.open();
    const heard = heardBy(sqlite);
    sqlite.channels.publish('letters', 'a');
    expect(heard).toEqual([]);
    await expect.poll(() => heard).toEqual(['a']);
  });

  it('do not call who has left, even by a message on the way', async () => {
    const sqlite = await files.open();
    const [left, stayed] = [vi.fn(), vi.fn()];
    const leave = sqlite.channels.add('letters', left);
    sqlite.channels.add('letters', stayed);
    sqlite.channels.publish('letters', 'a');
    leave();
    leave();
    await expect.poll(() => stayed).toHaveBeenCalledOnce();
    expect(left).not.toHaveBeenCalled();
  });

  it('call everybody without a message when one of them is gone, and work among the others', async () => {
    const [first, second, third] = [await files.open(), await files.open(), await files.open()];
    const heard = [heardBy(first), heardBy(third)];
    await second.close();
    await expect.poll(() => heard).toEqual([['-'], ['-']]);
    first.channels.publish('letters', 'a');
    third.channels.publish('letters', 'b');
    await expect
      .poll(() => heard.map((messages) => messages.toSorted()))
      .toEqual([
        ['-', 'a', 'b'],
        ['-', 'a', 'b'],
      ]);
  });

  it('strike off who died, and leave no socket behind', async () => {
    const first = await files.open();
    const dead = `${files.path}-deadbeef.sock`;
    writeFileSync(dead, '');
    first.database.run('INSERT INTO peers (address) VALUES (?), (?)', dead, `${files.path}-00000000.sock`);
    const second = await files.open();
    expect(existsSync(dead)).toBe(false);
    expect(second.database.all('SELECT count(*) AS count FROM peers')).toEqual([{ count: 2 }]);
    await Promise.all([first.close(), second.close()]);
    expect(readdirSync(join(files.path, '..'))).toEqual(['data.db']);
    expect(files.errors).toEqual([]);
  });

  it('are not those of the file that this one is a copy of, and nothing but sockets of its own is removed', async () => {
    const original = await files.open();
    const heard = heardBy(original);
    const kept = join(files.path, '..', 'kept.txt');
    writeFileSync(kept, '');
    original.database.run('INSERT INTO peers (address) VALUES (?)', kept);
    const copyPath = join(files.path, '..', 'copy.db');
    original.database.run('VACUUM INTO ?', copyPath);
    const copy = await files.open({ path: copyPath });
    expect(copy.database.all('SELECT count(*) AS count FROM peers')).toEqual([{ count: 1 }]);
    expect(existsSync(kept)).toBe(true);
    copy.channels.publish('letters', 'from the copy');
    const another = await files.open();
    another.channels.publish('letters', 'from another one');
    await expect.poll(() => heard).toContain('from another one');
    expect(heard).not.toContain('from the copy');
  });

  it('leave no socket when they cannot be joined', async () => {
    const first = await files.open();
    const before = readdirSync(join(files.path, '..'));
    first.database.exec('BEGIN IMMEDIATE');
    await expect(files.open()).rejects.toThrow('have kept');
    first.database.exec('COMMIT');
    expect(readdirSync(join(files.path, '..'))).toEqual(before);
  });

  it('call everybody without a message some time after another one has written, though none came', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const sqlite = await files.open();
      const heard = heardBy(sqlite);
      const silent = new (nodeSqlite().DatabaseSync)(files.path);
      silent.exec('CREATE TABLE things (id INTEGER)');
      vi.advanceTimersByTime(10_000);
      expect(heard).toEqual(['-']);
      silent.exec('INSERT INTO things VALUES (1)');
      vi.advanceTimersByTime(10_000);
      expect(heard).toEqual(['-', '-']);
      silent.close();
      sqlite.database.close();
      vi.advanceTimersByTime(10_000);
      expect(files.errors.map(faultOf)).toEqual(['away']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('cut off who takes nothing, and go on among the others', async () => {
    const first = await files.open();
    const { address } = first.database.get('SELECT address FROM peers') as { address: string };
    const stopped = connect(address).pause();
    await once(stopped, 'connect');
    const heard = heardBy(await files.open());
    const letter = 'x'.repeat(100_000);
    const closed = once(stopped, 'close');
    for (let count = 0; count < 300; count++) {
      first.channels.publish('letters', letter);
      await new Promise((resolve) => setImmediate(resolve));
    }
    stopped.resume();
    await closed;
    await expect.poll(() => heard.filter((message) => message === letter)).toHaveLength(300);
  });

  it('are joined again by who was cut off, and both sides know that they may have missed something', async () => {
    const lines: string[] = [];
    const address = `${files.path}-00000000.sock`;
    const earlier = createServer((socket) => {
      socket.write('\n');
      socket.on('data', (data) => lines.push(String(data)));
      if (connections++ === 0) setImmediate(() => socket.destroy());
    });
    let connections = 0;
    earlier.listen(address);
    const first = await files.open();
    first.database.run('INSERT INTO peers (id, address) VALUES (-1, ?)', address);
    const later = await files.open();
    const heard = heardBy(later);
    await expect.poll(() => connections).toBe(2);
    await expect.poll(() => lines).toEqual(['\n']);
    await expect.poll(() => heard).toContain('-');
    await later.close();
    earlier.close();
  });

  it('work for a file whose path is too long for a socket beside it', async () => {
    const path = join(files.path, '..', 'x'.repeat(100), 'data.db');
    const [first, second] = [await files.open({ path }), await files.open({ path })];
    const heard = heardBy(first);
    second.channels.publish('letters', 'a');
    await expect.poll(() => heard).toEqual(['a']);
  });

  it('refuse a folder for their sockets that other users can reach into', async () => {
    const folder = join(files.path, '..');
    mkdirSync(join(folder, `longhaul-${process.getuid?.() ?? 0}`), { mode: 0o755 });
    vi.stubEnv('TMPDIR', folder);
    try {
      await expect(files.open({ path: join(folder, 'x'.repeat(100), 'data.db') })).rejects.toThrow(
        /is open to other users: remove it, or keep the data/,
      );
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
