/** The tools that the conformance suite calls to be asked something: by a request of the server, within the call. */
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

const titled = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ const: `value${index + 1}`, title: `Choice ${index + 1}` }));

const sampling = defineTool({
  name: 'test_sampling',
  description: "Has the client's model answer a prompt.",
  input: z.object({ prompt: z.string().describe('What the model is asked') }),
  async run({ prompt }, context) {
    const { content } = await context.sample(prompt, { maxTokens: 100 });
    const texts = [content].flat().flatMap((part) => (part.type === 'text' ? [part.text] : []));
    return `LLM response: ${texts.join('\n')}`;
  },
});

const elicitation = defineTool({
  name: 'test_elicitation',
  description: 'Asks the user for a name and an address.',
  input: z.object({ message: z.string().describe('What the user is asked') }),
  async run({ message }, context) {
    const { action, content } = await context.elicit({
      message,
      requestedSchema: {
        type: 'object',
        properties: {
          username: { type: 'string', description: 'The name of the user' },
          email: { type: 'string', description: 'The address of the user' },
        },
        required: ['username', 'email'],
      },
    });
    return `User response: action=${action}, content=${JSON.stringify(content ?? {})}`;
  },
});

const elicitationDefaults = defineTool({
  name: 'test_elicitation_sep1034_defaults',
  description: 'Asks the user by a form with a default for a field of every type.',
  input: z.object({}),
  async run(_, context) {
    const { action, content } = await context.elicit({
      message: 'Please check these values.',
      requestedSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'A name', default: 'John Doe' },
          age: { type: 'integer', description: 'An age', default: 30 },
          score: { type: 'number', description: 'A score', default: 95.5 },
          status: { type: 'string', description: 'A status', enum: ['active', 'inactive', 'pending'], default: 'active' },
          verified: { type: 'boolean', description: 'Whether that has been verified', default: true },
        },
        required: [],
      },
    });
    return `Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`;
  },
});

const elicitationEnums = defineTool({
  name: 'test_elicitation_sep1330_enums',
  description: 'Asks the user by a form with a choice of every form.',
  input: z.object({}),
  async run(_, context) {
    const { action, content } = await context.elicit({
      message: 'Please choose.',
      requestedSchema: {
        type: 'object',
        properties: {
          untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
          titledSingle: { type: 'string', oneOf: titled(3) },
          legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['Option 1', 'Option 2', 'Option 3'] },
          untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
          titledMulti: { type: 'array', items: { anyOf: titled(3) } },
        },
        required: [],
      },
    });
    return `Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`;
  },
});

/** Revision 2025-11-25 only: later ones have no requests of the server. */
export const askingTools = [sampling, elicitation, elicitationDefaults, elicitationEnums];
