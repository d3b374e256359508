import type { ClientInfo } from '@longhaul/tasks';
import { type ElicitResult, type ElicitRequestURLParams, UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { UrlElicitationRequired } from './url-elicitation-required.js';
import { withUrlsOpened } from './with-urls-opened.js';

const page: ElicitRequestURLParams = { mode: 'url', url: 'https://a.example/', message: 'Open it', elicitationId: 'one' };

/** A client that answers the questions in turn, the last answer again and again. */
function clientAnswering(generation: ClientInfo['generation'], ...actions: ElicitResult['action'][]) {
  const asked: unknown[] = [];
  const client: ClientInfo = { generation, protocolVersion: generation, capabilities: {} };
  const elicit = (params: unknown): Promise<ElicitResult> => {
    asked.push(params);
    return Promise.resolve({ action: actions[asked.length - 1] ?? actions.at(-1) ?? 'cancel' });
  };
  return { asked, context: { client, elicit } };
}

/** A workflow that throws as often, and then is done. */
function throwing(times: number, error: Error = new UrlElicitationRequired([page])) {
  let runs = 0;
  return () => (runs++ < times ? Promise.reject(error) : Promise.resolve(`done in run ${runs}`));
}

describe('a workflow whose user has to open URLs', () => {
  it('is left to the error of a client that has one', async () => {
    const { context, asked } = clientAnswering('2025-11-25', 'accept');

    await expect(withUrlsOpened(context, throwing(1))).rejects.toMatchObject({ code: -32042 });
    expect(asked).toEqual([]);
  });

  it('runs again when the user has agreed to all of them', async () => {
    const { context, asked } = clientAnswering('2026-07-28', 'accept');

    expect(await withUrlsOpened(context, throwing(2, new UrlElicitationRequired([page, page])))).toBe('done in run 3');
    expect(asked).toEqual([page, page, page, page]);
  });

  it("runs again for the SDK's error of the same code as well", async () => {
    const { context } = clientAnswering('2026-07-28', 'accept');

    expect(await withUrlsOpened(context, throwing(1, new UrlElicitationRequiredError([page])))).toBe('done in run 2');
  });

  it('ends with what the user answered otherwise', async () => {
    const { context } = clientAnswering('2026-07-28', 'accept', 'decline');

    await expect(withUrlsOpened(context, throwing(2))).rejects.toMatchObject({
      name: 'TerminalError',
      message: 'URL elicitation required: the user answered with decline.',
    });
  });

  it('ends when that does not help', async () => {
    const { context, asked } = clientAnswering('2026-07-28', 'accept');

    await expect(withUrlsOpened(context, throwing(Infinity))).rejects.toMatchObject({
      name: 'TerminalError',
      message: 'URL elicitation required, also after the user had opened it 10 times.',
    });
    expect(asked).toHaveLength(10);
  });

  it('throws any other error as it is', async () => {
    const { context, asked } = clientAnswering('2026-07-28', 'accept');
    for (const error of [new Error('no disk'), Object.assign(new Error('odd'), { code: -32042, data: {} })])
      await expect(withUrlsOpened(context, throwing(1, error))).rejects.toBe(error);

    expect(asked).toEqual([]);
  });
});
