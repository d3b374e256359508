import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IncreasingProgress } from './increasing-progress.js';

const HOUR_MS = 3_600_000;

/** What happens to a request: its tool reports, or time passes and a sign of life is due. */
const happening = fc.oneof(
  fc.record({ report: fc.double({ noNaN: true }) }),
  fc.record({ report: fc.integer({ min: -3, max: 100 }) }),
  fc.record({ passedMs: fc.integer({ min: 0, max: 24 * HOUR_MS }) }),
);

/** Plays them; the tool's own reports never become smaller, as the engine sees to it. */
function play(happenings: readonly ({ report: number } | { passedMs: number })[], values = new IncreasingProgress()) {
  const sent: number[] = [];
  let [reported, ageMs]: [number | undefined, number] = [undefined, 0];
  for (const each of happenings) {
    let value: number | undefined;
    if ('report' in each) {
      reported = Math.max(reported ?? -Infinity, each.report);
      value = values.report(reported);
    } else {
      ageMs += each.passedMs;
      value = values.sign(reported, ageMs);
    }
    if (value !== undefined) sent.push(value);
  }
  return sent;
}

describe('progress with signs of life', () => {
  it('always increases, and is always a number of JSON', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
        const sent = play(happenings).map((value) => JSON.parse(JSON.stringify(value)) as number);
        for (const [at, value] of sent.entries()) expect(value).toBeGreaterThan(sent[at - 1] ?? -Infinity);
      }),
      { numRuns: 1_000 },
    );
  });

  it('never overtakes the tool: each of its reports is sent as it is, if it is a millionth of itself larger for each minute', () => {
    const steps = fc.array(fc.record({ signs: fc.integer({ min: 0, max: 5 }), step: fc.double({ min: 1e-2, max: 1e6, noNaN: true }) }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(steps, (all) => {
        const values = new IncreasingProgress();
        let [reported, ageMs] = [0, 0];
        for (const { signs, step } of all) {
          reported += Math.max(step, reported * 1e-2);
          expect(values.report(reported)).toBe(reported);
          for (let times = 0; times < signs; times++) expect(values.sign(reported, (ageMs += 15_000))).toBeLessThan(reported * (1 + 1e-2));
        }
      }),
    );
  });

  it('goes on at another gateway, which knows nothing of the signs before', () => {
    const before = new IncreasingProgress();
    const sent = [before.report(5), before.sign(5, 15_000), before.sign(5, 30_000), new IncreasingProgress().sign(5, 45_000)];
    expect(sent).toEqual([...sent].sort((a, b) => Number(a) - Number(b)));
    expect(new Set(sent).size).toBe(4);
  });

  it('begins above nothing before the first report', () => {
    expect(play([{ passedMs: 15_000 }, { report: 0 }, { report: 1 }])).toEqual([expect.closeTo(1.5e-8, 12), expect.closeTo(1.5e-8, 12), 1]);
  });

  it('is larger than what another gateway has sent', () => {
    const values = new IncreasingProgress(7);
    expect(values.sign(5, 1_000)).toBeGreaterThan(7);
    expect(values.report(6)).toBeGreaterThan(7);
    expect(values.report(8)).toBe(8);
  });

  it('sends nothing where no larger number exists', () => {
    const values = new IncreasingProgress();
    expect(values.report(Number.MAX_VALUE)).toBe(Number.MAX_VALUE);
    expect([values.sign(Number.MAX_VALUE, HOUR_MS), values.report(Number.MAX_VALUE), values.report(NaN)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
