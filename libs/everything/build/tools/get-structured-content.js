import { z } from 'zod';
import { defineTool } from '@longhaul/mcp-features';
const output = z.object({
    temperature: z.number().describe('Temperature in celsius'),
    conditions: z.string().describe('Weather conditions description'),
    humidity: z.number().describe('Humidity percentage'),
});
const WEATHER = {
    'New York': { temperature: 33, conditions: 'Cloudy', humidity: 82 },
    Chicago: { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 },
    'Los Angeles': { temperature: 73, conditions: 'Sunny / Clear', humidity: 48 },
};
/** The weather that three cities always have, as structured content. */
export const getStructuredContent = defineTool({
    name: 'get-structured-content',
    title: 'Get Structured Content Tool',
    description: 'Returns structured content along with an output schema for client data validation',
    input: z.object({ location: z.enum(['New York', 'Chicago', 'Los Angeles']).describe('Choose city') }),
    output,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: ({ location }) => WEATHER[location],
});
//# sourceMappingURL=get-structured-content.js.map