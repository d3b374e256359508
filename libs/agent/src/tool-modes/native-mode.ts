/** Offers tools in the endpoint's own field. The text is read if the endpoint finds no calls: it may have no parser for the model. */
import { answerFormat, answerInstructions, withInstructions } from './instructions.js';
import { readForms, readReply } from './read-reply.js';
import type { ToolModeCodec } from './tool-mode.js';

export const nativeMode: ToolModeCodec = {
  request: (request) => ({
    messages: withInstructions(request.messages, answerInstructions(request)),
    ...(request.tools.length > 0 && { tools: request.tools }),
    ...answerFormat(request),
  }),
  reply: (raw, request) => readReply(raw, request, readForms),
};
