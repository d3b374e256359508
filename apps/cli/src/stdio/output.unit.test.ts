import { PassThrough } from 'node:stream';

import { describe, expect, it } from 'vitest';

import { Output } from './output.js';

describe('the output', () => {
  it('has one line for each message, also when its JSON has line breaks', async () => {
    const stream = new PassThrough();
    const output = new Output(stream);
    await output.send('{"text":"a\\nb"}');
    await output.send('{\n "id": 1\n}');
    expect(String(stream.read())).toBe('{"text":"a\\nb"}\n{"id":1}\n');
  });

  it('waits until its reader has taken what it holds', async () => {
    const stream = new PassThrough({ highWaterMark: 4 });
    const output = new Output(stream);
    let sent = 0;
    const all = Promise.all([1, 2, 3].map(async () => output.send('"long"').then(() => (sent += 1))));
    await Promise.resolve();
    expect(sent).toBe(0);
    stream.resume();
    await all;
    expect(sent).toBe(3);
  });

  it('does not wait for a reader that has gone', async () => {
    const stream = new PassThrough({ highWaterMark: 1 });
    const output = new Output(stream);
    const waiting = output.send('1');
    stream.destroy();
    await waiting;
    await output.closed;
    await output.send('2');
    await output.flush();
  });
});
