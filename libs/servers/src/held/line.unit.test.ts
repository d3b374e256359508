import { describe, expect, it } from 'vitest';
import { Line, type LineMessage } from './line.js';

/** Two ends, and what is on its way between them. */
class Wire {
  now = 0;
  readonly heard: string[] = [];
  readonly ends: [string, string][] = [];
  readonly #underway: [to: 'a' | 'b', message: LineMessage][] = [];
  readonly a = this.#end('b');
  readonly b = this.#end('a');

  constructor() {
    this.b.ontext = (text) => this.heard.push(text);
    this.a.onend = (reason) => this.ends.push(['a', reason]);
    this.b.onend = (reason) => this.ends.push(['b', reason]);
  }

  /** Delivers what is on its way, and what that leads to. @param isLost whether a message gets lost; each is asked about once */
  async deliver(isLost: (message: LineMessage) => boolean = () => false): Promise<void> {
    for (let idle = 0; idle < 3; idle += 1) {
      for (let next = this.#underway.shift(); next !== undefined; next = this.#underway.shift()) {
        idle = 0;
        if (!isLost(next[1])) this[next[0]].receive(next[1]);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  later(ms: number): void {
    this.now += ms;
    this.a.tick();
    this.b.tick();
  }

  #end(to: 'a' | 'b'): Line {
    const send = (message: LineMessage): void => void this.#underway.push([to, structuredClone(message)]);
    return new Line({ send, now: () => this.now, resendMs: 1_000, silenceMs: 10_000 });
  }
}

const LARGE = 'x'.repeat(3_000_000);

describe('a line', () => {
  it('brings texts of any size, in their order', async () => {
    const wire = new Wire();
    for (const text of ['first', LARGE, '', 'last']) wire.a.send(text);
    await wire.deliver();
    expect(wire.heard.map((text) => text.length)).toEqual([5, LARGE.length, 0, 4]);
  });

  it('brings each text once, whatever gets lost', async () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const wire = new Wire();
      let count = seed * 7;
      const sent = Array.from({ length: 40 }, (_, index) => `${index}:${'y'.repeat(index % 5 === 0 ? 200_000 : 3)}`);
      for (const text of sent) wire.a.send(text);
      for (let round = 0; round < 60 && wire.heard.length < sent.length; round += 1) {
        await wire.deliver(() => (count = (count * 1_103_515_245 + 12_345) % 2_147_483_648) % 3 === 0);
        wire.later(1_000);
      }
      expect(wire.heard).toEqual(sent);
      expect(wire.ends).toEqual([]);
    }
  });

  it('lasts as long as both ends are there, also without texts', async () => {
    const wire = new Wire();
    for (let second = 0; second < 100; second += 1) {
      wire.later(1_000);
      await wire.deliver();
    }
    expect(wire.ends).toEqual([]);
  });

  it('ends when nothing is heard of the other end, and when that says so', async () => {
    const silent = new Wire();
    silent.a.send('hello');
    for (let second = 0; second < 12; second += 1) {
      silent.later(1_000);
      await silent.deliver(() => true);
    }
    expect(silent.ends.map(([end]) => end).toSorted()).toEqual(['a', 'b']);
    const told = new Wire();
    told.a.end('its process ends', false);
    await told.deliver();
    expect(told.ends).toEqual([['b', 'its process ends']]);
    expect(() => told.a.send('more')).toThrow('has ended');
  });

  it('refuses what is too large, and more than can wait', async () => {
    const wire = new Wire();
    const half = 'z'.repeat(34 * 1024 * 1024);
    wire.a.send(half);
    expect(() => wire.a.send(half)).toThrow('Too much waits');
    await wire.deliver();
    expect(wire.ends.map(([end]) => end).toSorted()).toEqual(['a', 'b']);
    expect(wire.heard).toEqual([]);
  });
});
