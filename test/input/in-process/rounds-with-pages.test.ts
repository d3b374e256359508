/** Tests features that answer within the request and ask their user to visit a page, over several requests, each at another gateway. */
import { beforeAll, describe, expect, it } from 'vitest';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { modernFeatures } from '../../support/gateway-2026/features.js';
import { type ModernClient, modernClient, PLAIN_CLIENT } from '../../support/gateway-2026/modern-client.js';
import { again, askedBy, textOf } from '../../support/gateway-2026/rounds.js';
import { visitedPages } from '../../support/gateway-2026/task-tools.js';

let here: ModernClient;
let there: ModernClient;

const gateways = gatewaysForTests({}, { features: modernFeatures });
beforeAll(() => {
  here = modernClient(gateways.first, PLAIN_CLIENT);
  there = here.at(gateways.second);
});

describe('a tool whose user has to visit a page first', () => {
  const page = (id: string) => ({
    method: 'elicitation/create',
    params: { mode: 'url', url: `https://example.com/pages/${id}`, message: 'Please visit the page.' },
  });

  it('asks for that, and runs again when its user agrees', async () => {
    const asked = askedBy(await here.tool('visit', { page: 'a' }));
    expect(Object.values(asked.inputRequests)).toEqual([page('a')]);
    const [key = ''] = Object.keys(asked.inputRequests);
    visitedPages.add('a');

    expect(textOf(await there.tool('visit', { page: 'a' }, again(asked, { [key]: { action: 'accept' } })))).toBe('a was visited');
  });

  it('asks again when its user has agreed, but not been there', async () => {
    const asked = askedBy(await here.tool('visit', { page: 'b' }));
    const [key = ''] = Object.keys(asked.inputRequests);
    const next = askedBy(await there.tool('visit', { page: 'b' }, again(asked, { [key]: { action: 'accept' } })));

    expect(Object.values(next.inputRequests)).toEqual([page('b')]);
    expect(Object.keys(next.inputRequests)).not.toEqual([key]);
  });

  it.each(['decline', 'cancel'])('ends when its user answers with %s', async (action) => {
    const asked = askedBy(await here.tool('visit', { page: 'c' }));
    const [key = ''] = Object.keys(asked.inputRequests);
    const { result } = await there.tool('visit', { page: 'c' }, again(asked, { [key]: { action } }));

    expect(result).toMatchObject({ resultType: 'complete', isError: true });
    expect(textOf({ result })).toContain('URL elicitation required');
  });

  it('may be a prompt', async () => {
    const asked = askedBy(await here.call('prompts/get', { name: 'page-prompt', arguments: { page: 'd' } }));
    const [key = ''] = Object.keys(asked.inputRequests);
    expect(Object.values(asked.inputRequests)).toEqual([page('d')]);
    const { error } = await there.call('prompts/get', {
      name: 'page-prompt',
      arguments: { page: 'd' },
      ...again(asked, { [key]: { action: 'decline' } }),
    });

    expect(error).toMatchObject({ code: -32603, message: expect.stringContaining('URL elicitation required') as string });
  });

  it('is refused to a client that opens no URLs, with what it lacks', async () => {
    const { status, error } = await modernClient(gateways.first, { elicitation: { form: {} } }).tool('visit', { page: 'e' });

    expect(status).toBe(400);
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: { url: {} } } } });
  });
});
