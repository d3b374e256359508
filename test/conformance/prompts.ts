/** The prompts that the conformance suite gets. */
import { definePrompt } from '@longhaul/mcp-features';
import { z } from 'zod';
import { PNG } from './media.ts';

const COMPLETIONS = ['test', 'testing', 'text'];

const simple = definePrompt({
  name: 'test_simple_prompt',
  description: 'A prompt without arguments.',
  run: () => 'This is a simple prompt for testing.',
});

const withArguments = definePrompt({
  name: 'test_prompt_with_arguments',
  description: 'A prompt with two arguments.',
  arguments: z.object({ arg1: z.string().describe('The first argument'), arg2: z.string().describe('The second argument') }),
  complete: { arg1: (value) => COMPLETIONS.filter((completion) => completion.startsWith(value)) },
  run: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
});

const withEmbeddedResource = definePrompt({
  name: 'test_prompt_with_embedded_resource',
  description: 'A prompt with a resource in it.',
  arguments: z.object({ resourceUri: z.string().describe('The URI of the resource') }),
  run: ({ resourceUri }) => [
    {
      role: 'user',
      content: { type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' } },
    },
    { role: 'user', content: { type: 'text', text: 'Please process the embedded resource above.' } },
  ],
});

const withImage = definePrompt({
  name: 'test_prompt_with_image',
  description: 'A prompt with an image in it.',
  run: () => [
    { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
    { role: 'user', content: { type: 'text', text: 'Please analyze the image above.' } },
  ],
});

/** The same in every revision of the protocol. */
export const prompts = [simple, withArguments, withEmbeddedResource, withImage];
