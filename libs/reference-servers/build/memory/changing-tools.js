import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';
import { addObservations, createEntities, createRelations, deleteEntities, deleteObservations, deleteRelations } from './graph.js';
import { GRAPH_URI, graphOfCaller } from './graph-collection.js';
import { DoneSchema, EntitySchema, RelationSchema, WHOSE_GRAPH } from './schemas.js';
const ADDS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
const DELETES = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };
/** The tools that add to a graph and delete from it, as the reference server has them. */
export function changingTools(settings) {
    const change = async (context, decide) => {
        const result = await graphOfCaller(context, settings).update(decide);
        context.owner?.resourceUpdated(GRAPH_URI);
        return result;
    };
    return [...addingTools(change), ...deletingTools(change)];
}
function addingTools(change) {
    return [
        defineTool({
            name: 'create_entities',
            title: 'Create Entities',
            description: `Create multiple new entities in the knowledge graph. ${WHOSE_GRAPH}`,
            input: z.object({ entities: z.array(EntitySchema) }),
            output: z.object({ entities: z.array(EntitySchema) }),
            annotations: ADDS,
            run: async ({ entities }, context) => added('entities', await change(context, (records) => createEntities(records, entities))),
        }),
        defineTool({
            name: 'create_relations',
            title: 'Create Relations',
            description: 'Create multiple new relations between entities in the knowledge graph. Relations should be in active voice',
            input: z.object({ relations: z.array(RelationSchema) }),
            output: z.object({ relations: z.array(RelationSchema) }),
            annotations: ADDS,
            run: async ({ relations }, context) => added('relations', await change(context, (records) => createRelations(records, relations))),
        }),
        defineTool({
            name: 'add_observations',
            title: 'Add Observations',
            description: 'Add new observations to existing entities in the knowledge graph',
            input: z.object({
                observations: z.array(z.object({
                    entityName: z.string().describe('The name of the entity to add the observations to'),
                    contents: z.array(z.string()).describe('An array of observation contents to add'),
                })),
            }),
            output: z.object({ results: z.array(z.object({ entityName: z.string(), addedObservations: z.array(z.string()) })) }),
            annotations: ADDS,
            run: async ({ observations }, context) => added('results', await change(context, (records) => addObservations(records, observations))),
        }),
    ];
}
function deletingTools(change) {
    return [
        defineTool({
            name: 'delete_entities',
            title: 'Delete Entities',
            description: 'Delete multiple entities and their associated relations from the knowledge graph',
            input: z.object({ entityNames: z.array(z.string()).describe('An array of entity names to delete') }),
            output: DoneSchema,
            annotations: DELETES,
            run: ({ entityNames }, context) => deleted('Entities', change(context, (records) => deleteEntities(records, entityNames))),
        }),
        defineTool({
            name: 'delete_observations',
            title: 'Delete Observations',
            description: 'Delete specific observations from entities in the knowledge graph',
            input: z.object({
                deletions: z.array(z.object({
                    entityName: z.string().describe('The name of the entity containing the observations'),
                    observations: z.array(z.string()).describe('An array of observations to delete'),
                })),
            }),
            output: DoneSchema,
            annotations: DELETES,
            run: ({ deletions }, context) => deleted('Observations', change(context, (records) => deleteObservations(records, deletions))),
        }),
        defineTool({
            name: 'delete_relations',
            title: 'Delete Relations',
            description: 'Delete multiple relations from the knowledge graph',
            input: z.object({ relations: z.array(RelationSchema).describe('An array of relations to delete') }),
            output: DoneSchema,
            annotations: DELETES,
            run: ({ relations }, context) => deleted('Relations', change(context, (records) => deleteRelations(records, relations))),
        }),
    ];
}
/** The text is what was added, and the structured content that under a name. */
function added(name, value) {
    return { content: [{ type: 'text', text: JSON.stringify(value, null, 2) }], structuredContent: { [name]: value } };
}
async function deleted(what, change) {
    await change;
    const message = `${what} deleted successfully`;
    return { content: [{ type: 'text', text: message }], structuredContent: { success: true, message } };
}
//# sourceMappingURL=changing-tools.js.map