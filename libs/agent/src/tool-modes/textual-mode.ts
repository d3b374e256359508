/** Offers tools in the system prompt, in the form of Hermes, on which most models were trained. Calls are read in any form. */
import { isJsonObject } from '@longhaul/tasks';
import type { AssistantMessage, ToolCall } from '../conversation/messages.js';
import type { ToolDescription } from '../model/chat-model.js';
import { parseJson } from '../textual-calls/json-value.js';
import { answerFormat, answerInstructions, withInstructions } from './instructions.js';
import { plainConversation } from './plain-conversation.js';
import { readForms, readReply } from './read-reply.js';
import type { ToolModeCodec } from './tool-mode.js';

export const textualMode: ToolModeCodec = {
  request: (request) => ({
    messages: plainConversation(withInstructions(request.messages, [...toolInstructions(request.tools), ...answerInstructions(request)]), {
      said,
      result: () => ({ before: '<tool_response>', after: '</tool_response>' }),
    }),
    ...answerFormat(request),
  }),
  reply: (raw, request) => readReply(raw, request, readForms),
};

function toolInstructions(tools: readonly ToolDescription[]): string[] {
  if (tools.length === 0) return [];
  const described = tools.map((tool) => JSON.stringify({ type: 'function', function: tool }));
  return [
    `# Tools

You may call tools. Each line in <tools></tools> is one of them: its name, what it does, and the JSON Schema of its arguments.
<tools>
${described.join('\n')}
</tools>

To call a tool, write its name and its arguments as JSON in <tool_call></tool_call>, and nothing after it:
<tool_call>
{"name": "NAME", "arguments": {"ARGUMENT": "VALUE"}}
</tool_call>
For several calls at once, write several such blocks. The results come in <tool_response></tool_response>: never write these yourself. If you need no tool, answer in plain words.`,
  ];
}

function said({ content, tool_calls: calls = [] }: AssistantMessage): string {
  return [...(content === '' ? [] : [content]), ...calls.map((call) => `<tool_call>\n${callText(call)}\n</tool_call>`)].join('\n');
}

/** Arguments that are no JSON object are written as the string that they are. */
function callText({ function: { name, arguments: text } }: ToolCall): string {
  const given = isJsonObject(parseJson(text)) ? text : JSON.stringify(text);
  return `{"name": ${JSON.stringify(name)}, "arguments": ${given}}`;
}
