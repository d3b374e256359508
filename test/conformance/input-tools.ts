/**
 * The tools and the prompt that the conformance suite calls in revision 2026-07-28 to be asked something: the answer says
 * what, under names that the suite knows, and the call is repeated with the answers.
 */
import { definePrompt, defineTool, type RequestContext } from '@longhaul/mcp-features';
import { z } from 'zod';

type FieldSchema = { readonly type: 'string' | 'boolean' };

/** Asks the user to fill in one field. @returns its value; nothing when the user would not */
async function field(context: RequestContext, key: string, message: string, name: string, schema: FieldSchema): Promise<unknown> {
  const params = { message, requestedSchema: { type: 'object', properties: { [name]: schema }, required: [name] } };
  const { content } = await context.ask(key, { method: 'elicitation/create', params });
  return (content as Readonly<Record<string, unknown>> | undefined)?.[name];
}

async function text(context: RequestContext, key: string, message: string, name: string): Promise<string> {
  return z.string().parse(await field(context, key, message, name, { type: 'string' }));
}

/** Has the client's model answer. */
async function sampled(context: RequestContext, key: string, prompt: string, maxTokens: number): Promise<string> {
  const params = { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens };
  const { content } = await context.ask(key, { method: 'sampling/createMessage', params });
  return z.object({ text: z.string() }).parse(content).text;
}

async function rootUris(context: RequestContext, key: string): Promise<string> {
  const { roots } = await context.ask(key, { method: 'roots/list' });
  return z
    .array(z.object({ uri: z.string() }))
    .parse(roots)
    .map(({ uri }) => uri)
    .join(', ');
}

const nothing = z.object({});

const elicitation = defineTool({
  name: 'test_input_required_result_elicitation',
  description: 'Asks the user for a name.',
  input: nothing,
  run: async (_, context) => `Hello, ${await text(context, 'user_name', 'What is your name?', 'name')}!`,
});

const sampling = defineTool({
  name: 'test_input_required_result_sampling',
  description: "Asks the client's model for a capital.",
  input: nothing,
  run: (_, context) => sampled(context, 'capital_question', 'What is the capital of France?', 100),
});

const listRoots = defineTool({
  name: 'test_input_required_result_list_roots',
  description: 'Asks the client for its roots.',
  input: nothing,
  run: async (_, context) => `Roots: ${await rootUris(context, 'client_roots')}`,
});

const requestState = defineTool({
  name: 'test_input_required_result_request_state',
  description: 'Asks the user to confirm. Its text says that the state came back as it was.',
  input: nothing,
  async run(_, context) {
    const isConfirmed = await field(context, 'confirm', 'Please confirm', 'ok', { type: 'boolean' });
    return `state-ok, confirmed: ${String(isConfirmed)}`;
  },
});

const multipleInputs = defineTool({
  name: 'test_input_required_result_multiple_inputs',
  description: 'Asks the user, the model and the client at the same time.',
  input: nothing,
  async run(_, context) {
    const [name, greeting, roots] = await Promise.all([
      text(context, 'user_name', 'What is your name?', 'name'),
      sampled(context, 'greeting', 'Generate a greeting', 50),
      rootUris(context, 'client_roots'),
    ]);
    return `${name}: ${greeting} (${roots})`;
  },
});

const multiRound = defineTool({
  name: 'test_input_required_result_multi_round',
  description: 'Asks the user for a name, and then for a colour.',
  input: nothing,
  async run(_, context) {
    const name = await text(context, 'step1', 'Step 1: What is your name?', 'name');
    const color = await text(context, 'step2', 'Step 2: What is your favorite color?', 'color');
    return `${name} likes ${color}.`;
  },
});

const tamperedState = defineTool({
  name: 'test_input_required_result_tampered_state',
  description: 'Asks the user to confirm, by a client that changes the state.',
  input: nothing,
  run: async (_, context) => `Confirmed: ${String(await field(context, 'confirm', 'Please confirm', 'ok', { type: 'boolean' }))}`,
});

const capabilities = defineTool({
  name: 'test_input_required_result_capabilities',
  description: 'Asks everything that the client can be asked.',
  input: nothing,
  async run(_, context) {
    const answers = await Promise.all([
      ...(context.elicitEnabled ? [text(context, 'user_name', 'What is your name?', 'name')] : []),
      ...(context.sampleEnabled ? [sampled(context, 'greeting', 'Generate a greeting', 50)] : []),
      ...(context.rootsEnabled ? [rootUris(context, 'client_roots')] : []),
    ]);
    return `Answers: ${answers.join('; ')}`;
  },
});

const prompt = definePrompt({
  name: 'test_input_required_result_prompt',
  description: 'A prompt that asks the user for its context.',
  run: async (_, context) => `Use this context: ${await text(context, 'user_context', 'What context should the prompt use?', 'context')}`,
});

/** Clients of revision 2025-11-25 are asked the same by requests. */
export const inputFeatures = [
  elicitation,
  sampling,
  listRoots,
  requestState,
  multipleInputs,
  multiRound,
  tamperedState,
  capabilities,
  prompt,
];
