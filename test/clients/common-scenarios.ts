/** Scenarios that several clients do in the same way: by a call alone, or with the methods that the clients of the SDKs share. */
import { type Play, textOf } from './program.ts';

/** Calls a tool and returns its text. */
type Call = (name: string, args?: Record<string, unknown>) => Promise<string>;

/** @param asked what the client was asked, the latest at the end */
export function callScenarios(call: Call, asked: string[]) {
  return {
    version: () => call('suite-version'),
    call: () => call('suite-greet', { name: 'Ada' }),
    elicitation: async () => ({ text: await call('suite-ask'), asked: asked.pop() }),
    sampling: async () => ({ text: await call('suite-sample'), asked: asked.pop() }),
  } satisfies Record<string, Play>;
}

/** @returns what comes of a call that is given a function for its progress */
export async function reported(
  count: (onprogress: (report: { progress: number; total?: number | undefined }) => void) => Promise<unknown>,
) {
  const reports: unknown[] = [];
  const result = await count(({ progress, total }) => reports.push([progress, total]));
  return { text: textOf(result), reports };
}

const PROMPT = 'suite-review';

/** The methods of a client that these scenarios use. */
interface Reading {
  listResources(): Promise<{ readonly resources: readonly { readonly uri: string }[] }>;
  readResource(params: { uri: string }): Promise<{ readonly contents: readonly unknown[] }>;
  listPrompts(): Promise<{ readonly prompts: readonly { readonly name: string }[] }>;
  getPrompt(params: { name: string; arguments: Record<string, string> }): Promise<{ readonly messages: readonly unknown[] }>;
  complete(params: {
    ref: { type: 'ref/prompt'; name: string };
    argument: { name: string; value: string };
  }): Promise<{ readonly completion: { readonly values: readonly string[] } }>;
}

export function readScenarios(client: Reading) {
  return {
    resources: async () => {
      const { resources } = await client.listResources();
      const { contents } = await client.readResource({ uri: 'suite://note' });
      return { uris: resources.map(({ uri }) => uri), text: textOf(contents[0]) };
    },
    prompts: async () => {
      const { prompts } = await client.listPrompts();
      const { messages } = await client.getPrompt({ name: PROMPT, arguments: { language: 'Rust' } });
      return { names: prompts.map(({ name }) => name), text: textOf(messages[0]) };
    },
    completion: async () => {
      const ref = { type: 'ref/prompt', name: PROMPT } as const;
      return (await client.complete({ ref, argument: { name: 'language', value: 'P' } })).completion.values;
    },
  } satisfies Record<string, Play>;
}
