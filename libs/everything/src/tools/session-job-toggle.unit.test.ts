import { describe, expect, it } from 'vitest';
import type { InlineTool } from '@longhaul/mcp-features';
import { fakeRequest, FakeSession } from '@longhaul/mcp-features/testing';
import { toggleSimulatedLogging } from './toggle-simulated-logging.js';
import { toggleSubscriberUpdates } from './toggle-subscriber-updates.js';

const contentOf = async (tool: InlineTool, session: FakeSession) => (await tool.call({}, fakeRequest({ session }))).content;

describe.each([
  [
    toggleSimulatedLogging(5_000),
    'simulated-logging',
    'Started simulated, random-leveled logging for session session at a 5 second pace. ',
  ],
  [
    toggleSubscriberUpdates(5_000),
    'simulated-resource-updates',
    'Started simulated resource updated notifications for session session at a 5 second pace. ',
  ],
])('$name', (tool, job, beginning) => {
  it('starts its session job, and stops it the next time', async () => {
    const session = new FakeSession();
    expect(await contentOf(tool, session)).toEqual([{ type: 'text', text: expect.stringMatching(`^${beginning}`) }]);
    expect([...session.jobs]).toEqual([job]);
    expect(await contentOf(tool, session)).toEqual([
      { type: 'text', text: expect.stringMatching(/^Stopped simulated .* for session session$/) },
    ]);
    expect([...session.jobs]).toEqual([]);
  });

  it('is left out where there are no sessions', () => {
    expect(tool.needsSession).toBe(true);
  });
});

describe('the text of a toggle', () => {
  it('names the pace that was set', async () => {
    expect(await contentOf(toggleSimulatedLogging(1_500), new FakeSession())).toMatchObject([
      { text: expect.stringContaining('at a 1.5 second pace') },
    ]);
  });
});
