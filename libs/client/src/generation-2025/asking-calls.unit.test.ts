import { describe, expect, it } from 'vitest';
import { ActiveCall } from '../active-call.js';
import { AskingCalls } from './asking-calls.js';

const NEVER = new AbortController().signal;
const NEVER_ENDING = new Promise<void>(() => undefined);

/** Calls under way, whose tools are named by their letters. */
function place({ isOneUser = true } = {}) {
  const calls = new Set<ActiveCall>();
  const askers = new AskingCalls(calls, isOneUser);
  return {
    askers,
    begin(tool: string, { isSent = true } = {}): ActiveCall {
      const call = new ActiveCall({ tool, closing: NEVER, progressToken: `token of ${tool}`, onInput: { roots: () => ({ roots: [] }) } });
      if (isSent) call.requestIds.add(`request of ${tool}`);
      calls.add(call);
      return call;
    },
    end(call: ActiveCall): void {
      calls.delete(call);
      call.end();
    },
    ask: (params: unknown = {}, origin?: string) => askers.of({ kind: 'roots', params, origin, signal: NEVER }),
  };
}

/** Whether the promise has settled after all that could be done without waiting was done. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => (settled = true));
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

describe('a question is one of', () => {
  it('the call on whose stream it came, or whose progress token it has', async () => {
    const { begin, ask } = place();
    const [a, b] = [begin('a'), begin('b')];
    expect(await ask({}, 'request of b')).toBe(b);
    expect(await ask({ _meta: { progressToken: 'token of a' } })).toBe(a);
  });

  it('the only call that the server knows of', async () => {
    const { begin, ask } = place();
    const a = begin('a');
    begin('b', { isSent: false });
    expect(await ask()).toBe(a);
  });

  it('the call that is left when the others have ended', async () => {
    const { begin, end, ask } = place({ isOneUser: false });
    const [a, b, c] = [begin('a'), begin('b'), begin('c')];
    const asked = ask();
    end(a);
    begin('later');
    expect(await isSettled(asked)).toBe(false);
    end(c);
    expect(await asked).toBe(b);
  });

  it('nobody where the calls that ran have all ended', async () => {
    const { begin, end, ask } = place({ isOneUser: false });
    const both = [begin('a'), begin('b')];
    const asked = ask();
    both.forEach(end);
    expect(await asked).toBeUndefined();
  });

  it('one user’s call without an open question', async () => {
    const { askers, begin, ask } = place();
    const a = begin('a');
    const answered = Promise.withResolvers<void>();
    const open = askers.during(await ask(), () => answered.promise);
    const b = begin('b');
    expect(await ask()).toBe(b);
    answered.resolve();
    await open;
    // Both are known to ask, and one question waits.
    const next = ask();
    expect(await isSettled(next)).toBe(false);
    // There are as many questions as calls.
    const last = ask();
    expect(await last).toBe(b);
    void askers.during(b, () => NEVER_ENDING);
    expect(await next).toBe(a);
  });

  it('one user’s call of a tool that has asked before', async () => {
    const { begin, end, ask } = place();
    const before = begin('asking');
    expect(await ask()).toBe(before);
    end(before);
    begin('quiet');
    const asking = begin('asking');
    expect(await ask()).toBe(asking);
  });
});

describe('a call of a tool that has asked', () => {
  it('waits for earlier calls of such tools, and no other call does', async () => {
    const { askers, begin, end, ask } = place();
    const first = begin('a');
    await ask();
    const second = begin('a', { isSent: false });
    const turn = askers.turn(second);
    expect(await isSettled(turn)).toBe(false);
    await askers.turn(begin('quiet', { isSent: false }));
    end(first);
    await turn;
  });
});
