import { z } from 'zod';

export const EntitySchema = z.object({
  name: z.string().describe('The name of the entity'),
  entityType: z.string().describe('The type of the entity'),
  observations: z.array(z.string()).describe('An array of observation contents associated with the entity'),
});

export const RelationSchema = z.object({
  from: z.string().describe('The name of the entity where the relation starts'),
  to: z.string().describe('The name of the entity where the relation ends'),
  relationType: z.string().describe('The type of the relation'),
});

export const GraphSchema = z.object({ entities: z.array(EntitySchema), relations: z.array(RelationSchema) });

export const DoneSchema = z.object({ success: z.boolean(), message: z.string() });

/** The part of the tools' descriptions that states the owner of the graph; the reference server does not need it. */
export const WHOSE_GRAPH = 'The graph is the own one of the caller; without authentication it is that of the session, and ends with it.';
