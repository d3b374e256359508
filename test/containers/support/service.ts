/** A container of the stack that a test can hurt in every way that Docker knows. */
import { type ContainerRuntimeClient, GenericContainer, getContainerRuntimeClient, type StartedTestContainer } from 'testcontainers';
import { runLabels } from './run.js';

/** The engine's own interface, for what Testcontainers has no word for. */
export type Docker = ContainerRuntimeClient['container']['dockerode'];
export type DockerNetwork = ReturnType<Docker['getNetwork']>;
type DockerContainer = ReturnType<Docker['getContainer']>;
type Details = Awaited<ReturnType<DockerContainer['inspect']>>;

/** How the compose file runs containers: nothing to write to but /tmp, no capabilities, an init process. */
export class LockedContainer extends GenericContainer {
  constructor(image: string) {
    super(image);
    this.withLabels(runLabels()).withDroppedCapabilities('ALL').withSecurityOpt('no-new-privileges').withTmpFs({ '/tmp': '' });
    Object.assign(this.hostConfig, { ReadonlyRootfs: true, Init: true });
  }

  /** Ends it when it takes more, bytes; there is no swap. */
  withMemoryLimit(bytes: number): this {
    Object.assign(this.hostConfig, { Memory: bytes, MemorySwap: bytes });
    return this;
  }

  /** Publishes a port on this machine only; it stays the same when the container is started again. */
  withLoopbackPort(container: number, host: number): this {
    this.withExposedPorts({ container, host });
    this.hostConfig.PortBindings = { [`${container}/tcp`]: [{ HostIp: '127.0.0.1', HostPort: String(host) }] };
    return this;
  }
}

/** A started container. */
export class Service {
  private constructor(
    readonly container: StartedTestContainer,
    private readonly raw: DockerContainer,
    /** Resolves when it does its work. */
    private readonly ready: (service: Service) => Promise<void>,
  ) {}

  /** Wraps a started container. @param ready resolves when it does its work after it was started again */
  static async of(container: StartedTestContainer, ready: (service: Service) => Promise<void>): Promise<Service> {
    const { container: containers } = await getContainerRuntimeClient();
    return new Service(container, containers.getById(container.getId()), ready);
  }

  /** The name that the processes inside see. */
  get hostname(): string {
    return this.container.getId().slice(0, 12);
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    await this.raw.kill();
    await this.raw.wait();
  }

  /** SIGTERM, and SIGKILL after the grace. @returns its exit code: 137 when it had to be killed */
  async stop(graceSeconds = 20): Promise<number> {
    await this.raw.stop({ t: graceSeconds });
    return (await this.raw.inspect()).State.ExitCode;
  }

  /** Starts it again after it was killed or stopped. */
  async start(): Promise<void> {
    await this.raw.start();
    await this.ready(this);
  }

  /** Stops all its threads, as happens on a machine that swaps or is moved. */
  async pause(): Promise<void> {
    await this.raw.pause();
  }

  async unpause(): Promise<void> {
    await this.raw.unpause();
  }

  /** Takes it off a network. */
  async disconnect(network: DockerNetwork): Promise<void> {
    await network.disconnect({ Container: this.raw.id });
  }

  /** Puts it back on a network. */
  async connect(network: DockerNetwork): Promise<void> {
    await network.connect({ Container: this.raw.id });
  }

  async remove(): Promise<void> {
    await this.raw.remove({ force: true, v: true });
  }

  inspect(): Promise<Details> {
    return this.raw.inspect();
  }

  /** Everything that it has written to its standard output. */
  async log(): Promise<string> {
    const frames = await this.raw.logs({ stdout: true, stderr: false, follow: false });
    return textOf(frames);
  }

  /** Runs the health check of its image. @returns its exit code */
  async checkHealth(): Promise<number> {
    const { Config } = await this.raw.inspect();
    const [kind, ...command] = Config.Healthcheck?.Test ?? [];
    if (kind !== 'CMD') throw new Error('The image has no health check in exec form.');
    return (await this.container.exec(command)).exitCode;
  }
}

/** Without a terminal, Docker sends frames: 8 bytes of header, the last four of them the length. */
function textOf(frames: Buffer): string {
  const parts: Buffer[] = [];
  for (let at = 0; at + 8 <= frames.length;) {
    const end = at + 8 + frames.readUInt32BE(at + 4);
    parts.push(frames.subarray(at + 8, end));
    at = end;
  }
  return Buffer.concat(parts).toString();
}
