/** Describes a tool for operators, and makes the form in which it is registered. */
import type { McpServer, ToolAnnotations } from '@modelcontextprotocol/server';
import type { JsonObject } from '@longhaul/tasks';
import { z } from 'zod';
import type { OperatorApi } from './operator-api.js';

/** Entries of a page: fewer than for people, because a model reads all of them. */
export const Limit = z.int().min(1).max(200).default(20);
export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

/** One tool. */
export interface ToolSpec<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: z.ZodObject;
  readonly annotations: ToolAnnotations;
  readonly run: (input: z.output<Input>, api: OperatorApi) => Promise<JsonObject>;
}

/** A tool with any arguments. */
export interface OperatorTool {
  readonly isReading: boolean;
  readonly register: (server: McpServer, api: OperatorApi) => void;
}

export function tool<Input extends z.ZodObject>({ name, input, output, run, ...shown }: ToolSpec<Input>): OperatorTool {
  const inputSchema: z.ZodObject = input;
  return {
    isReading: shown.annotations.readOnlyHint === true,
    register(server, api) {
      server.registerTool(name, { ...shown, inputSchema, outputSchema: output }, async (given) => {
        const answer = await run(given as z.output<Input>, api);
        return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
      });
    },
  };
}
