import type { Prompt, Tool } from '@longhaul/mcp-features';
import { fakeRequest } from '@longhaul/mcp-features/testing';
import { LocalServers, type RequestListener } from '@longhaul/runtime/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { fetchFeatures } from './fetch-features.js';
import { extractionHere, internet, LIMITS } from './internet.fixture.js';
import { type FetchSettings, readSettings } from './settings.js';

const servers = new LocalServers();
afterEach(() => servers.stop());

function features(settings: Partial<FetchSettings> = {}): readonly [Tool, Prompt] {
  const made = fetchFeatures({ ...readSettings({}), ...settings }, { network: internet(), limits: LIMITS, extract: extractionHere });
  return made as unknown as readonly [Tool, Prompt];
}

describe('the tool fetch', () => {
  it('is listed as by the reference server', () => {
    const { inputSchema, description, ...listing } = features()[0].listing;
    expect(listing).toEqual({
      name: 'fetch',
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
      execution: { taskSupport: 'optional' },
    });
    expect(description).toMatch(
      /^Fetches a URL from the internet and optionally extracts its contents as markdown\.\n\nAlthough originally/,
    );
    expect(description).toContain('this tool now grants you internet access');
    expect(inputSchema).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'fetchArguments',
      type: 'object',
      required: ['url'],
      properties: {
        url: { title: 'Url', description: 'URL to fetch', type: 'string', format: 'uri', minLength: 1 },
        max_length: {
          title: 'Max Length',
          description: 'Maximum number of characters to return.',
          type: 'integer',
          minimum: 1,
          maximum: 999_999,
          default: 5_000,
        },
        start_index: {
          title: 'Start Index',
          description:
            'On return output starting at this character index, useful if a previous fetch was truncated and more context is required.',
          type: 'integer',
          minimum: 0,
          default: 0,
        },
        raw: {
          title: 'Raw',
          description: 'Get the actual HTML content of the requested page, without simplification.',
          type: 'boolean',
          default: false,
        },
      },
    });
  });

  it.each([
    ['url', {}],
    ['url', { url: '' }],
    ['url', { url: 5 }],
    ['url', { url: 'example.com/page' }],
    ['url', { url: 'http://' }],
    ['max_length', { url: 'http://a.test/', max_length: 0 }],
    ['max_length', { url: 'http://a.test/', max_length: 1_000_000 }],
    ['max_length', { url: 'http://a.test/', max_length: '10' }],
    ['start_index', { url: 'http://a.test/', start_index: -1 }],
    ['raw', { url: 'http://a.test/', raw: 'yes' }],
  ])('takes no wrong %s: %j', (field, args) => {
    const checked = features()[0].check(args);
    expect(checked.ok ? '' : checked.message).toContain(field);
  });
});

describe('the prompt fetch', () => {
  const asked: string[] = [];
  const site: RequestListener = ({ url = '', headers }, response) => {
    asked.push(`${url} ${headers['user-agent']}`);
    if (url === '/robots.txt') response.end('User-agent: *\nDisallow: /');
    else if (url === '/page') response.writeHead(200, { 'content-type': 'text/plain' }).end('prompt body');
    else response.writeHead(404).end();
  };

  async function textOf(url: string, settings: Partial<FetchSettings> = {}): Promise<unknown> {
    const prompt = features(settings)[1];
    const { description, messages } = await prompt.get({ url }, fakeRequest());
    expect(description).toBe('Fetch a URL and extract its contents as markdown');
    const [message] = messages;
    expect(message?.role).toBe('user');
    return message?.content.type === 'text' ? message.content.text : undefined;
  }

  it('is listed as by the reference server', () => {
    expect(features()[1].listing).toEqual({
      name: 'fetch',
      description: 'Fetch a URL and extract its contents as markdown',
      arguments: [{ name: 'url', description: 'URL to fetch', required: true }],
    });
  });

  it('is the whole page, no matter what robots.txt says, and asks for it as what a user wants', async () => {
    const url = `http://localhost.test:${await servers.start(site)}`;
    asked.length = 0;
    expect(await textOf(`${url}/page`)).toBe(
      'Content type text/plain cannot be simplified to markdown, but here is the raw content:\nprompt body',
    );
    await textOf(`${url}/page`, { userAgent: 'MyBot' });
    expect(asked).toEqual([
      '/page ModelContextProtocol/1.0 (User-Specified; +https://github.com/modelcontextprotocol/servers)',
      '/page MyBot',
    ]);
  });

  it('says what went wrong in its message', async () => {
    const url = `http://localhost.test:${await servers.start(site)}`;
    expect(await textOf(`${url}/none`)).toBe(`Failed to fetch ${url}/none - status code 404`);
    expect(await textOf('not a url')).toBe('Failed to fetch not a url: it is not a URL');
    expect(await textOf('http://10.0.0.1/')).toContain('Refused to fetch http://10.0.0.1/: 10.0.0.1 resolves to 10.0.0.1, which is not');
  });
});
