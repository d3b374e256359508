import { McpClient } from './clients/mcp-client.js';

/**
 * @returns the time of a step at the end of a task of 3,000 steps divided by the time of a step at its beginning: the median of three tasks
 */
export async function measureSteps(url: string): Promise<number> {
  const client = await McpClient.connect(url, 1);
  const ratios: number[] = [];
  for (let run = 0; run < 3; run++) ratios.push(Number(await client.resultOf(await client.createTask('stepped'))));
  client.close();
  return ratios.toSorted((a, b) => a - b)[1] ?? Number.NaN;
}
