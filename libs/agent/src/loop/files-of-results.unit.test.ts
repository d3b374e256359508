import { afterEach, describe, expect, it } from 'vitest';
import { type ApiName, createEndpointModel } from '../endpoint/endpoint-model.js';
import { type ScriptedEndpoint, startScriptedEndpoint } from '../testing/scripted-endpoint.js';
import { memoryToolbox } from '../tools/memory-toolbox.fixture.js';
import type { Outcome } from './outcome.js';
import { runAgent } from './run-agent.js';
import { virtualHost } from './virtual-host.fixture.js';

const AUDIO = { type: 'audio' as const, data: 'UklGRg==', mimeType: 'audio/wav' };
const FILE = { type: 'resource' as const, resource: { uri: 'file:///a.pdf', mimeType: 'application/pdf', blob: 'JVBERg==' } };
const FILE_DATA = 'data:application/pdf;base64,JVBERg==';

describe('the files of a result', () => {
  let endpoint: ScriptedEndpoint;
  afterEach(() => endpoint.close());

  const sent = (member: 'messages' | 'input'): readonly unknown[] => (endpoint.requests[1]?.body[member] ?? []) as readonly unknown[];

  async function run(api: ApiName): Promise<Outcome> {
    endpoint = await startScriptedEndpoint([{ toolCalls: [{ id: 'c1', name: 'read', arguments: {} }] }, { content: 'Read.' }]);
    return runAgent({
      model: createEndpointModel({ baseUrl: endpoint.url, model: 'm', api, mode: 'native', takesAudio: true, takesFiles: true }),
      toolbox: memoryToolbox({ read: { act: () => ({ content: [AUDIO, FILE] }) } }),
      host: virtualHost(),
      history: [],
      prompt: 'Read',
    });
  }

  it('are given to a model by chat completions after the results', async () => {
    expect((await run('chat')).text).toBe('Read.');
    const parts = [
      { type: 'input_audio', input_audio: { data: AUDIO.data, format: 'wav' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: FILE_DATA } },
    ];
    expect(sent('messages').slice(-2)).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: '[audio (wav, 1 KiB), see below]\n[the file a.pdf (1 KiB), see below]' },
      { role: 'user', content: [{ type: 'text', text: 'The files of these results:' }, ...parts] },
    ]);
  });

  it('are in the result by the Responses API, which has no audio', async () => {
    expect((await run('responses')).text).toBe('Read.');
    expect(sent('input').at(-1)).toEqual({
      type: 'function_call_output',
      call_id: 'c1',
      output: [
        { type: 'input_text', text: '[audio, audio/wav, 4 bytes]' },
        { type: 'input_file', filename: 'a.pdf', file_data: FILE_DATA },
      ],
    });
  });
});
