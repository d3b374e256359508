import { z } from 'zod';
import { defineTool } from '@longhaul/mcp-features';
import { FORM_LIMIT_MS } from '../forms/form-limit.js';
import { personFormOutcome } from '../forms/person-form-outcome.js';
import { startElicitationForm } from '../forms/start-elicitation-form.js';
/** The reference server's tool before `trigger-elicitation-request`. */
export const startElicitation = defineTool({
    name: 'startElicitation',
    description: 'Elicitation test tool that demonstrates how to request user input with various field types ' +
        '(string, boolean, email, uri, date, integer, number, enum)',
    input: z.object({}),
    needs: ['elicitation.form'],
    task: 'optional',
    maxWaitMs: FORM_LIMIT_MS,
    async run(_args, context) {
        return personFormOutcome(await context.elicit(startElicitationForm));
    },
});
//# sourceMappingURL=start-elicitation.js.map