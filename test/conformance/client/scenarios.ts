/** What the client does in the scenarios without an authorization server. */
import { connect, ProtocolViolationError } from '@longhaul/client';
import type { Scenario } from './scenario.ts';

const confirm = () => ({ action: 'accept' as const, content: { confirmed: true } });

const listTools: Scenario = async (url) => {
  const client = await connect(url);
  await client.client.listTools();
  await client.close();
};

const addNumbers: Scenario = async (url) => {
  const client = await connect(url);
  await client.callTool('add_numbers', { a: 5, b: 3 });
  await client.close();
};

/** The user accepts a form as it is, so the client has to fill in what the form says. */
const acceptDefaults: Scenario = async (url) => {
  const client = await connect(url, {
    capabilities: { elicitation: { form: { applyDefaults: true } } },
    onInput: { elicitation: () => ({ action: 'accept', content: {} }) },
  });
  await client.callTool('test_client_elicitation_defaults');
  await client.close();
};

const resumeStream: Scenario = async (url) => {
  const client = await connect(url);
  await client.callTool('test_reconnection');
  await client.close();
};

const declareCapabilities: Scenario = async (url) => {
  const client = await connect(url, { capabilities: { roots: {}, sampling: {}, elicitation: {} } });
  await client.client.listTools();
  await client.close();
};

const answerQuestions: Scenario = async (url) => {
  const client = await connect(url, { onInput: { elicitation: confirm } });
  // At the same time, so that the state of one could come into the other.
  await Promise.all([client.callTool('test_mrtr_echo_state'), client.callTool('test_mrtr_unrelated')]);
  await client.callTool('test_mrtr_no_state');
  const refusal = await client.callTool('test_mrtr_no_result_type').catch((error: unknown) => error);
  await client.close();
  // A result without a type must not be taken for a question. In this revision it is no result at all.
  if (!(refusal instanceof ProtocolViolationError)) throw new Error('A result without a type was accepted.');
};

/** One request of each method that has headers of its own. */
const useAllMethods: Scenario = async (url) => {
  const client = await connect(url);
  for (const { name } of (await client.client.listTools()).tools) await client.callTool(name);
  for (const { uri } of (await client.client.listResources()).resources) await client.client.readResource({ uri });
  for (const { name } of (await client.client.listPrompts()).prompts) await client.client.getPrompt({ name });
  await client.close();
};

const makeGivenCalls: Scenario = async (url, context) => {
  const client = await connect(url);
  for (const call of context['toolCalls'] as { name: string; arguments: Record<string, unknown> }[])
    await client.callTool(call.name, call.arguments);
  await client.close();
};

/** Those among the tools that are declared wrongly are not listed. */
const callListedTools: Scenario = async (url) => {
  const client = await connect(url);
  for (const { name } of (await client.client.listTools()).tools) await client.callTool(name, { region: 'us-west1' });
  await client.close();
};

const sendSchemaBack: Scenario = async (url) => {
  const client = await connect(url);
  const { tools } = await client.client.listTools();
  const schema = tools.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema;
  await client.callTool('json_schema_echo', { schema });
  await client.close();
};

export const scenarios: Readonly<Record<string, Scenario>> = {
  initialize: listTools,
  tools_call: addNumbers,
  'elicitation-sep1034-client-defaults': acceptDefaults,
  'sse-retry': resumeStream,
  'request-metadata': declareCapabilities,
  'sep-2322-client-request-state': answerQuestions,
  'http-standard-headers': useAllMethods,
  'http-custom-headers': makeGivenCalls,
  'http-invalid-tool-headers': callListedTools,
  'json-schema-ref-no-deref': listTools,
  'json-schema-2020-12-preservation': sendSchemaBack,
};
