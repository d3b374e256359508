import { z } from 'zod';
import { defineTool } from '@longhaul/mcp-features';
import { everyFieldForm } from '../forms/every-field-form.js';
import { FORM_LIMIT_MS } from '../forms/form-limit.js';
import { personFormOutcome } from '../forms/person-form-outcome.js';
/** Asks the user with a form that has every type of field. */
export const triggerElicitationRequest = defineTool({
    name: 'trigger-elicitation-request',
    title: 'Trigger Elicitation Request Tool',
    description: 'Trigger a Request from the Server for User Elicitation',
    input: z.object({}),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    needs: ['elicitation.form'],
    task: 'optional',
    maxWaitMs: FORM_LIMIT_MS,
    async run(_args, context) {
        return personFormOutcome(await context.elicit(everyFieldForm));
    },
});
//# sourceMappingURL=trigger-elicitation-request.js.map