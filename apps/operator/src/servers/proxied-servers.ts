/** The servers behind the proxies of a deployment, as its processes report them, and what operators say of them. */
import { type MergedServer, mergedServers, reportIn, type Said, ServerSwitches, SWITCH_LIMITS } from '@longhaul/proxy/operating';
import type { Store } from '@longhaul/sessions';
import { randomUUID } from 'node:crypto';
import { Refused } from '../http/problems.js';

/** A server, or one of its tools. */
export interface ServerTarget {
  readonly server: string;
  /** By the name that the server gives it. */
  readonly tool?: string | undefined;
}

/** Every method throws `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached. */
export class ProxiedServers {
  readonly #switches: ServerSwitches;

  constructor(private readonly store: Pick<Store, 'processReports' | 'ownerRecords' | 'featureSignals'>) {
    this.#switches = new ServerSwitches(store);
  }

  /** By name. */
  async list(): Promise<readonly MergedServer[]> {
    const [reports, switches] = await Promise.all([this.store.processReports.all(), this.#switches.all()]);
    return mergedServers(
      [...reports.values()].flatMap((text) => reportIn(text) ?? []),
      switches,
    );
  }

  /** @throws Refused 404 for a server that no process that is alive has */
  async get(name: string): Promise<MergedServer> {
    const found = (await this.list()).find((server) => server.name === name);
    if (found === undefined)
      throw new Refused(
        404,
        'SERVER_NOT_FOUND',
        `No process that is alive has a server ${name}: GET /api/v1/servers lists those that there are.`,
      );
    return found;
  }

  /** @throws Refused 404 for an unknown server or tool; 409 when too many are off */
  async turnOff(target: ServerTarget, said: Said): Promise<MergedServer> {
    await this.#require(target);
    if (!(await this.#switches.turnOff(target, said))) throw tooMany(target);
    return this.get(target.server);
  }

  /** It may be on already. @throws Refused 404 for an unknown server or tool */
  async turnOn(target: ServerTarget): Promise<MergedServer> {
    await this.#require(target);
    await this.#switches.turnOn(target);
    return this.get(target.server);
  }

  /**
   * Has all processes end their connections, and open new ones. Calls that run lose the server.
   *
   * @throws Refused 404 for an unknown server; 409 for one that is off, and when something is said of too many
   */
  async restart(server: string, said: Said): Promise<MergedServer> {
    const { off } = await this.get(server);
    if (off !== undefined)
      throw new Refused(409, 'SERVER_IS_OFF', `Server ${server} is off, by ${off.by}: ${off.reason}. Turn it on first.`);
    if (!(await this.#switches.restart(server, said, randomUUID()))) throw tooMany({ server });
    return this.get(server);
  }

  async #require({ server, tool }: ServerTarget): Promise<void> {
    const { tools, toolsLeftOut } = await this.get(server);
    // While nobody knows all tools of a server, one may be turned off that is not in sight.
    const areKnown = tools.length > 0 && toolsLeftOut === 0;
    if (tool !== undefined && areKnown && !tools.some(({ name }) => name === tool))
      throw new Refused(
        404,
        'SERVER_TOOL_NOT_FOUND',
        `Server ${server} has no tool ${tool}: GET /api/v1/servers/${encodeURIComponent(server)} lists its tools, by the names that it gives them.`,
      );
  }
}

function tooMany({ tool }: ServerTarget): Refused {
  const { servers, tools } = SWITCH_LIMITS;
  const limit = tool === undefined ? `of ${servers} servers` : `of ${servers} servers, and that ${tools} tools of one are off`;
  return new Refused(409, 'TOO_MANY_SWITCHES', `Something is said ${limit} at most: turn on what need not be off.`);
}
