/** Lists the durable tools that operators can start: the tools of this process' modules, which are the workers' modules. */
import type { DurableTool, FeatureRegistry } from '@longhaul/mcp-features';
import type { OperatorService } from '@longhaul/tasks';
import { Refused } from '../http/problems.js';

/** The parts of the catalogue. */
export interface ToolCatalogueDeps {
  /** Loads the features: only this needs their code, so they are loaded on the first request for a tool. */
  readonly loadFeatures: () => Promise<FeatureRegistry>;
  readonly tasks: Pick<OperatorService, 'workers'>;
}

/** The tools that can be started. */
export interface ToolCatalogue {
  /** In the order in which they are defined. @throws Refused 503 when the modules cannot be loaded */
  tools(): Promise<readonly DurableTool[]>;
  /** Names of tools that workers know and this process does not: it was given other modules. */
  unloaded(): Promise<readonly string[]>;
  /** @throws Refused 404 when the tool is unknown; 409 when it does not run as a task, or only workers know it; 503 as `tools` */
  tool(name: string): Promise<DurableTool>;
}

export function createToolCatalogue({ loadFeatures, tasks }: ToolCatalogueDeps): ToolCatalogue {
  let loading: Promise<FeatureRegistry> | undefined;
  const registry = async (): Promise<FeatureRegistry> => {
    loading ??= loadFeatures();
    try {
      return await loading;
    } catch (error) {
      // A failed load is tried again, because the module may have been repaired.
      loading = undefined;
      throw new Refused(503, 'FEATURES_NOT_LOADED', error instanceof Error ? error.message : String(error));
    }
  };
  const tools = async (): Promise<readonly DurableTool[]> => (await registry()).tools.filter((tool) => tool.taskSupport !== 'forbidden');
  const announced = async (): Promise<readonly string[]> => [...new Set((await tasks.workers()).flatMap((worker) => worker.tools))];
  return {
    tools,
    async unloaded() {
      const known = new Set((await tools()).map(({ name }) => name));
      return (await announced()).filter((name) => !known.has(name)).toSorted();
    },
    async tool(name) {
      const found = (await registry()).tool(name);
      if (found !== undefined && found.taskSupport !== 'forbidden') return found;
      if (found !== undefined)
        throw new Refused(409, 'NOT_A_TASK', `Tool ${name} answers within the request of its client: it does not run as a task.`);
      if ((await announced()).includes(name))
        throw new Refused(
          409,
          'TOOL_NOT_LOADED',
          `Workers have tool ${name}, and this process does not: name its modules by --features, or set the same LONGHAUL_FEATURES and LONGHAUL_SERVERS.`,
        );
      const alike = (await tools()).filter((tool) => hasNameOf(tool.name, name) || hasNameOf(name, tool.name));
      const hint = alike.length === 0 ? '' : ` Is it ${alike.map((tool) => tool.name).join(' or ')}?`;
      throw new Refused(
        404,
        'NO_SUCH_TOOL',
        `There is no tool ${name} in the modules of --features or LONGHAUL_FEATURES, or at the servers of LONGHAUL_SERVERS.${hint}`,
      );
    },
  };
}

/** Whether one name is the other with the name of a server before it: a proxy names tools so unless it serves one server alone. */
function hasNameOf(longer: string, name: string): boolean {
  return longer.endsWith(`__${name}`);
}
