import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettings, readSystemPrompt } from './settings.js';

const URL_OF_ALL = 'http://127.0.0.1:8000/v1';
const named = (models: object): string => JSON.stringify(models);

describe('settings of the agent', () => {
  it('have defaults, and no model', () => {
    expect(readSettings({})).toEqual({
      models: [],
      fallbacks: [],
      threadsMaxBytes: 16 * 1024 * 1024,
      tracesContent: false,
      limits: { maxRounds: 5, maxListedTools: 40 },
    });
  });

  it('are read', () => {
    const settings = readSettings({
      LONGHAUL_AGENT_BASE_URL: URL_OF_ALL,
      LONGHAUL_AGENT_API: 'responses',
      LONGHAUL_AGENT_API_KEY: 'key-of-the-endpoint',
      LONGHAUL_AGENT_MODEL: 'Qwen/Qwen3-8B',
      LONGHAUL_AGENT_TOOL_MODE: 'textual',
      LONGHAUL_AGENT_TIMEOUT_MS: '1000',
      LONGHAUL_AGENT_SERVERS: 'servers.json',
      LONGHAUL_AGENT_SYSTEM_PROMPT_FILE: 'prompt.md',
      LONGHAUL_AGENT_MAX_ROUNDS: '7',
      LONGHAUL_AGENT_MAX_LISTED_TOOLS: '20',
      LONGHAUL_AGENT_MAX_TOKENS: '1000',
      LONGHAUL_AGENT_MAX_MS: '60000',
      LONGHAUL_AGENT_MAX_SPEND: '0.5',
      LONGHAUL_AGENT_SAMPLING: '{"temperature":0.2,"extraBody":{"top_k":3}}',
      LONGHAUL_AGENT_CONTEXT_TOKENS: '8192',
      LONGHAUL_AGENT_THREADS_MAX_BYTES: '100000',
    });
    const endpoint = {
      baseUrl: URL_OF_ALL,
      apiKey: 'key-of-the-endpoint',
      model: 'Qwen/Qwen3-8B',
      api: 'responses',
      mode: 'textual',
      sampling: { temperature: 0.2, extraBody: { top_k: 3 } },
      timeouts: { firstByteMs: 1_000, totalMs: 1_000 },
    };
    expect(settings).toEqual({
      models: [{ name: 'Qwen/Qwen3-8B', endpoint, contextTokens: 8_192 }],
      fallbacks: [],
      threadsMaxBytes: 100_000,
      tracesContent: false,
      servers: 'servers.json',
      systemPromptFile: 'prompt.md',
      limits: { maxRounds: 7, maxListedTools: 20, maxTokens: 1_000, maxSpend: 0.5, maxMs: 60_000 },
    });
  });

  it('name models that are asked in place of others, and how each generates', () => {
    const settings = readSettings({
      LONGHAUL_AGENT_MODELS: named({
        small: { baseUrl: URL_OF_ALL, sampling: { temperature: 1 }, headers: { 'X-Team': 'red' } },
        large: { baseUrl: URL_OF_ALL },
      }),
      LONGHAUL_AGENT_SAMPLING: '{"temperature":0,"stop":["END"]}',
      LONGHAUL_AGENT_FALLBACKS: 'large, small',
    });
    expect(settings.fallbacks.map(({ name }) => name)).toEqual(['large', 'small']);
    expect(settings.models[0]?.endpoint).toMatchObject({ sampling: { temperature: 1, stop: ['END'] }, headers: { 'X-Team': 'red' } });
    expect(settings.models[1]?.endpoint).toMatchObject({ sampling: { temperature: 0, stop: ['END'] } });
  });

  it.each([
    [{ LONGHAUL_AGENT_FALLBACKS: 'gone' }, 'LONGHAUL_AGENT_FALLBACKS: gone must be a name in LONGHAUL_AGENT_MODELS'],
    [{ LONGHAUL_AGENT_SAMPLING: '{"temperature":3}' }, 'temperature'],
    [{ LONGHAUL_AGENT_SAMPLING: '{"top_k":3}' }, 'top_k'],
    [{ LONGHAUL_AGENT_SAMPLING: 'hot' }, 'must be a JSON object'],
  ])('are refused by name when they are %j', (env, message) => {
    expect(() => readSettings(env)).toThrow(message);
  });

  it('take further models by name, each with a key from a variable of its own', () => {
    const { models } = readSettings({
      LONGHAUL_AGENT_BASE_URL: URL_OF_ALL,
      LONGHAUL_AGENT_MODEL: 'first',
      LONGHAUL_AGENT_MODELS: named({
        small: { baseUrl: URL_OF_ALL },
        large: {
          baseUrl: 'https://models.example/v1',
          model: 'L-1',
          apiKeyEnv: 'LARGE_KEY',
          mode: 'schema',
          price: { input: 1, output: 2 },
        },
      }),
      LARGE_KEY: 'key-of-the-large-one',
    });
    expect(models.map(({ name }) => name)).toEqual(['first', 'small', 'large']);
    expect(models[1]?.endpoint).toMatchObject({ model: 'small', mode: 'auto', takesImages: false, takesAudio: false, takesFiles: false });
    expect(models[1]?.endpoint.apiKey).toBeUndefined();
    expect(models[2]).toMatchObject({
      endpoint: { baseUrl: 'https://models.example/v1', model: 'L-1', apiKey: 'key-of-the-large-one', mode: 'schema' },
      price: { input: 1, output: 2 },
    });
  });

  it('take a name of the list as the default, also beside an endpoint', () => {
    const LONGHAUL_AGENT_MODELS = named({ small: { baseUrl: URL_OF_ALL }, large: { baseUrl: URL_OF_ALL } });
    for (const more of [{}, { LONGHAUL_AGENT_BASE_URL: URL_OF_ALL }]) {
      const { models } = readSettings({ LONGHAUL_AGENT_MODELS, LONGHAUL_AGENT_MODEL: 'large', ...more });
      expect(models.map(({ name }) => name)).toEqual(['large', 'small']);
    }
  });

  it('take the list of models in the documents', () => {
    const LONGHAUL_AGENT_MODELS = readFileSync(new URL('../../../docs/examples/agent-models.json', import.meta.url), 'utf8');
    const { models } = readSettings({ LONGHAUL_AGENT_MODELS, LARGE_MODEL_KEY: 'key' });
    expect(models.map(({ name, endpoint: { api } }) => [name, api])).toEqual([
      ['small', 'chat'],
      ['large', 'responses'],
    ]);
  });

  it('complain of a key that is not there only when it is needed', () => {
    const LONGHAUL_AGENT_MODELS = named({ large: { baseUrl: URL_OF_ALL, apiKeyEnv: 'LARGE_KEY' } });
    const [model] = readSettings({ LONGHAUL_AGENT_MODELS }).models;
    expect(() => model?.endpoint.apiKey).toThrow('LONGHAUL_AGENT_MODELS: large.apiKeyEnv: LARGE_KEY is not set');
  });

  it.each([
    [{ LONGHAUL_AGENT_MAX_ROUNDS: '0' }, 'LONGHAUL_AGENT_MAX_ROUNDS=0: must be a whole number from 1 to 1000'],
    [{ LONGHAUL_AGENT_MAX_TOKENS: 'many' }, 'LONGHAUL_AGENT_MAX_TOKENS=many: must be a whole number'],
    [{ LONGHAUL_AGENT_MAX_SPEND: '-1' }, 'LONGHAUL_AGENT_MAX_SPEND=-1: must be a number such as 0.50'],
    [{ LONGHAUL_AGENT_API: 'x' }, 'LONGHAUL_AGENT_API=x: must be one of chat, responses'],
    [{ LONGHAUL_AGENT_TOOL_MODE: 'x' }, 'LONGHAUL_AGENT_TOOL_MODE=x: must be one of auto, native, textual, schema'],
    [{ LONGHAUL_AGENT_BASE_URL: URL_OF_ALL }, 'LONGHAUL_AGENT_MODEL: must be set where LONGHAUL_AGENT_BASE_URL is'],
    [
      { LONGHAUL_AGENT_MODEL: 'x', LONGHAUL_AGENT_MODELS: named({ y: { baseUrl: URL_OF_ALL } }) },
      'LONGHAUL_AGENT_MODEL=x: must be a name in LONGHAUL_AGENT_MODELS',
    ],
    [{ LONGHAUL_AGENT_MODELS: named({ y: { baseUrl: URL_OF_ALL, key: 'hush' } }) }, 'LONGHAUL_AGENT_MODELS: y: Unrecognized key: "key"'],
    [{ LONGHAUL_AGENT_MODELS: named({ y: {} }) }, 'LONGHAUL_AGENT_MODELS: y.baseUrl: '],
  ])('are refused when they are %j', (env, message) => {
    expect(() => readSettings(env)).toThrow(message);
  });

  it.each([
    ['LONGHAUL_AGENT_BASE_URL', 'https://ada:hush@models.example'],
    ['LONGHAUL_AGENT_API_KEY', 'hush hush'],
    ['LONGHAUL_AGENT_MODELS', '{"hush": '],
  ])('are refused without their value when %s is wrong, which may hold a secret', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(/^(?!.*hush).*must/);
  });
});

describe('the system prompt', () => {
  it('is that of the file, if there is one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'longhaul-prompt-'));
    try {
      const systemPromptFile = join(folder, 'prompt.md');
      writeFileSync(systemPromptFile, 'Be short.');
      expect(await readSystemPrompt({ systemPromptFile })).toBe('Be short.');
      writeFileSync(systemPromptFile, 'x'.repeat(1_048_577));
      await expect(readSystemPrompt({ systemPromptFile })).rejects.toThrow(`${systemPromptFile}: must have at most 1048576 bytes`);
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(await readSystemPrompt({})).toBeUndefined();
  });

  it('is refused by the name of the variable when the file is not there', async () => {
    const message = 'LONGHAUL_AGENT_SYSTEM_PROMPT_FILE=/no/such/file: cannot be read (ENOENT)';
    await expect(readSystemPrompt({ systemPromptFile: '/no/such/file' })).rejects.toThrow(message);
  });
});
