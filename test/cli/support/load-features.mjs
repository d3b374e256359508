/**
 * Loads modules of features as Node does, which no test runner can. Gets the folder to look for them in and their names by IPC, and answers
 * with the names of their tools or with the words of the error.
 */
import { loadFeatures } from '@longhaul/mcp-features';

process.on('message', async ({ folder, modules }) => {
  process.chdir(folder);
  try {
    const { features } = await loadFeatures(modules, import.meta.url);
    process.send?.({ tools: features.tools.map(({ name }) => name) });
  } catch (error) {
    process.send?.({ refusal: error instanceof Error ? error.message : String(error) });
  }
});
