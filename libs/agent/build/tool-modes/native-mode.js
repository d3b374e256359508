/** Tools in the endpoint's own field. The text is read where the endpoint finds no calls: it may have no parser for the model. */
import { answerFormat, answerInstructions, withInstructions } from './instructions.js';
import { readForms, readReply } from './read-reply.js';
export const nativeMode = {
    request: (request) => ({
        messages: withInstructions(request.messages, answerInstructions(request)),
        ...(request.tools.length > 0 && { tools: request.tools }),
        ...answerFormat(request),
    }),
    reply: (raw, request) => readReply(raw, request, readForms),
};
//# sourceMappingURL=native-mode.js.map