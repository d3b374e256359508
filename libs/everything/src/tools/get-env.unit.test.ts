import { describe, expect, it } from 'vitest';
import { fakeRequest } from '@longhaul/mcp-features/testing';
import { getEnv } from './get-env.js';

describe('get-env', () => {
  it('shows the variables as they are now, without secrets', async () => {
    const env: NodeJS.ProcessEnv = { HOME: '/home/ada', API_TOKEN: 'hush' };
    const tool = getEnv(env);
    env['LATER'] = '1';
    expect(await tool.call({}, fakeRequest())).toEqual({
      content: [{ type: 'text', text: '{\n  "HOME": "/home/ada",\n  "API_TOKEN": "***",\n  "LATER": "1"\n}' }],
    });
  });
});
