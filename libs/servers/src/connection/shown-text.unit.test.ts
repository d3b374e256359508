import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseServers } from '../config/servers-file.js';
import type { ServerConfig } from '../config/server-config.js';
import { shownText, withStderr } from './shown-text.js';

function configOf(entry: object): ServerConfig {
  const env = { TOKEN: 'tok/en-12345' };
  const [config] = parseServers(JSON.stringify({ mcpServers: { s: entry } }), { from: 'x.json', env }).servers;
  if (config === undefined) throw new Error('There is no server.');
  return config;
}

it('leaves the values of variables out, in the environment and in the command', () => {
  const config = configOf({ command: 'serve', args: ['--plain', '--key', '${TOKEN}'], env: { SECRET: 'sesame', SHORT: 'on' } });
  expect(shownText('serve --plain --key tok/en-12345: sesame is on', config)).toBe('serve --plain --key ***: *** is on');
});

it('leaves headers out, whole or without their scheme, and what a URL has of variables', () => {
  const config = configOf({
    url: 'https://me:pass-word@x.example/mcp?key=${TOKEN}&plain=1',
    headers: { Authorization: 'Bearer sesame-123' },
  });
  expect(shownText('Bearer sesame-123, sesame-123, https://x.example/mcp', config)).toBe('***, ***, https://x.example/mcp');
  expect(shownText('no such key: en-12345, or pass-word', config)).toBe('no such key: ***, or ***');
});

it('leaves out what is in files of secrets, and the secret of a client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  try {
    writeFileSync(join(folder, 'token'), 'sesame-file');
    const auth = { grant: 'client_credentials', issuer: 'https://auth.example', clientId: 'me', clientSecret: 'sesame-client' };
    const config = configOf({ url: 'https://x.example/mcp', headers: { 'X-Key': `key \${file:${folder}/token}` }, auth });
    expect(shownText('sesame-file, sesame-client', config)).toBe('***, ***');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('leaves control characters out, and is cut', () => {
  const config = configOf({ command: 'serve' });
  expect(shownText('\u001B[31mred\u001B[0m\u0007\nline', config)).toBe('red\nline');
  expect(shownText('x'.repeat(10_000), config)).toHaveLength(4_000);
});

it('shows the last ten lines of standard error, if there are any', () => {
  expect(withStderr('it ended', ' \n')).toBe('it ended');
  const lines = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
  expect(withStderr('it ended', lines.join('\n')).split('\n')).toEqual([
    'it ended',
    'The last lines of its standard error:',
    ...lines.slice(2).map((line) => `  ${line}`),
  ]);
});
