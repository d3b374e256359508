/** The tools that the conformance suite calls, but for those that ask the client something. */
import { setTimeout as wait } from 'node:timers/promises';
import { defineTool, errorResult } from '@longhaul/mcp-features';
import { z } from 'zod';
import { PNG, WAV } from './media.ts';

/** Between two messages of one call: the suite wants to see them arrive one by one. */
const PAUSE_MS = 50;

/** How long the client is away in the middle of a call. */
const AWAY_MS = 100;

const nothing = z.object({});

const simpleText = defineTool({
  name: 'test_simple_text',
  description: 'Returns a text.',
  input: nothing,
  run: () => 'This is a simple text response for testing.',
});

const imageContent = defineTool({
  name: 'test_image_content',
  description: 'Returns an image.',
  input: nothing,
  run: () => ({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] }),
});

const audioContent = defineTool({
  name: 'test_audio_content',
  description: 'Returns a sound.',
  input: nothing,
  run: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
});

const embeddedResource = defineTool({
  name: 'test_embedded_resource',
  description: 'Returns an embedded resource.',
  input: nothing,
  run: () => ({
    content: [
      {
        type: 'resource',
        resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is an embedded resource content.' },
      },
    ],
  }),
});

const multipleContentTypes = defineTool({
  name: 'test_multiple_content_types',
  description: 'Returns a text, an image and an embedded resource.',
  input: nothing,
  run: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: JSON.stringify({ test: 'data', value: 123 }),
        },
      },
    ],
  }),
});

const errorHandling = defineTool({
  name: 'test_error_handling',
  description: 'Returns an error.',
  input: nothing,
  run: () => errorResult('This tool intentionally returns an error for testing'),
});

const withLogging = defineTool({
  name: 'test_tool_with_logging',
  description: 'Logs three messages while it runs.',
  input: nothing,
  async run(_, context) {
    context.info('Tool execution started');
    await wait(PAUSE_MS);
    context.info('Tool processing data');
    await wait(PAUSE_MS);
    context.info('Tool execution completed');
    return 'Tool with logging executed successfully';
  },
});

const withProgress = defineTool({
  name: 'test_tool_with_progress',
  description: 'Reports progress three times while it runs.',
  input: nothing,
  async run(_, context) {
    context.progress(0);
    await wait(PAUSE_MS);
    context.progress(50);
    await wait(PAUSE_MS);
    context.progress(100);
    return 'Tool with progress executed successfully';
  },
});

const reconnection = defineTool({
  name: 'test_reconnection',
  description: 'Ends its stream before it is done: the result is on the stream that the client resumes.',
  input: nothing,
  async run(_, context) {
    context.closeStream();
    await wait(AWAY_MS);
    return 'Reconnection test completed successfully';
  },
});

/** They answer by themselves, in every revision of the protocol. */
export const tools = [
  simpleText,
  imageContent,
  audioContent,
  embeddedResource,
  multipleContentTypes,
  errorHandling,
  withLogging,
  withProgress,
  reconnection,
];
