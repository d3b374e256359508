import { describe, expect, it } from 'vitest';
import type { AgentEvent } from './agent-event.js';
import { createProcessHost } from './process-host.js';

describe('the host of a process', () => {
  it('runs steps, waits, knows the time and hands events on', async () => {
    const events: AgentEvent[] = [];
    const host = createProcessHost({ onEvent: (event) => events.push(event) });
    expect(await host.step('a', async (signal) => signal.aborted)).toBe(false);
    const before = Date.now();
    await host.sleep('b', 5);
    expect(host.now()).toBeGreaterThan(before);
    host.report({ type: 'delta', text: 'x' });
    expect(events).toEqual([{ type: 'delta', text: 'x' }]);
  });

  it('stops to wait with the reason of its signal', async () => {
    const stop = new AbortController();
    const waiting = createProcessHost({ signal: stop.signal }).sleep('long', 3_600_000);
    stop.abort(new Error('no more'));
    await expect(waiting).rejects.toThrow('no more');
  });
});
