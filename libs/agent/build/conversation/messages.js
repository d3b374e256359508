/**
 * The conversation of an agent, as the chat completions of OpenAI write it: what is kept, recorded and returned is what is sent.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
export {};
//# sourceMappingURL=messages.js.map