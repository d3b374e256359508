import { describe, expect, it } from 'vitest';
import { StatusLine } from './status-line.js';

function shown() {
  const texts: string[] = [];
  return { texts, line: new StatusLine({ status: (text) => void texts.push(text) }) };
}

describe('the status of a run', () => {
  it('is what it waits for, the latest first, and then again what it does', async () => {
    const { texts, line } = shown();
    line.say('calling');
    const task = line.wait();
    task.say('step 1');
    task.say('step 1');
    const answer = Promise.withResolvers<void>();
    const asked = line.during('an answer', () => answer.promise);
    task.say('step 2');
    answer.resolve();
    await asked;
    line.say('calling another');
    task.end();
    expect(texts).toEqual(['calling', 'step 1', 'an answer', 'step 2', 'calling another']);
  });

  it('is what it does again when a wait fails', async () => {
    const { texts, line } = shown();
    line.say('calling');
    await expect(line.during('an answer', () => Promise.reject(new Error('none')))).rejects.toThrow('none');
    expect(texts).toEqual(['calling', 'an answer', 'calling']);
  });
});
