/** Starts a Redis Cluster for one test: masters without replicas on this machine, which the test may kill and start again. */
import { freePort } from '@longhaul/bench/free-port';
import { ChaosRedis } from './chaos-redis.js';
import type { RedisLocation } from './redis.js';
import { waitUntil } from './wait-until.js';

const MASTERS = 3;
const SLOTS = 16_384;
const SHARE = Math.ceil(SLOTS / MASTERS);

/** One of the servers, and the port at which the others talk to it. */
interface Member {
  readonly master: ChaosRedis;
  readonly busPort: number;
}

/** A running cluster. */
export class RedisCluster {
  private readonly replicas: ChaosRedis[] = [];

  private constructor(private readonly members: readonly Member[]) {}

  /** Starts the servers, gives each its share of the slots, and waits until all of them know of it. */
  static async start(): Promise<RedisCluster> {
    const members: Member[] = [];
    const cluster = new RedisCluster(members);
    try {
      while (members.length < MASTERS) members.push(await startMember());
      await cluster.#join();
      return cluster;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  get masters(): readonly ChaosRedis[] {
    return this.members.map(({ master }) => master);
  }

  /** Two of the three nodes: the client must find the third one itself. */
  get location(): RedisLocation {
    const [first, second] = this.masters.map(({ url }) => url);
    return { url: `${first},${second}`, cluster: true };
  }

  /** The master that has the slot of a key. */
  async masterOf(key: string): Promise<ChaosRedis> {
    const living = await Promise.any(this.masters.map(({ client }) => client.cluster('KEYSLOT', key)));
    const master = this.masters[Math.floor(living / SHARE)];
    if (master === undefined) throw new Error(`Nobody has the slot ${living}.`);
    return master;
  }

  /** Resolves when every master serves and knows the others. */
  async allServe(): Promise<void> {
    const serves = async ({ client }: ChaosRedis): Promise<boolean> => {
      const info = await client.cluster('INFO');
      return ['cluster_state:ok', `cluster_slots_ok:${SLOTS}`, `cluster_known_nodes:${MASTERS}`].every((line) => info.includes(line));
    };
    await waitUntil(async () => (await Promise.all(this.masters.map(serves))).every(Boolean), { description: 'every master serves' });
  }

  /** Starts a replica of the master, and waits until it has caught up. */
  async addReplica(master: ChaosRedis): Promise<LaggingReplica> {
    const { master: server, busPort } = await startMember();
    this.replicas.push(server);
    await master.client.call('CLUSTER', 'MEET', '127.0.0.1', server.port, busPort);
    const masterId = await master.client.cluster('MYID');
    const isAccepted = (): Promise<boolean> =>
      server.client.call('CLUSTER', 'REPLICATE', masterId).then(
        () => true,
        () => false, // It does not know the master yet.
      );
    await waitUntil(isAccepted, { description: 'the server is made a replica' });
    await waitUntil(async () => (await server.client.info('replication')).includes('master_link_status:up'), {
      description: 'the replica has caught up',
    });
    return new LaggingReplica(server, master);
  }

  async close(): Promise<void> {
    await Promise.all([...this.masters, ...this.replicas].map((server) => server.close()));
  }

  async #join(): Promise<void> {
    for (const [index, { client }] of this.masters.entries()) {
      const [first, last] = [index * SHARE, Math.min((index + 1) * SHARE, SLOTS) - 1];
      await client.cluster('SET-CONFIG-EPOCH', index + 1);
      await client.cluster('ADDSLOTSRANGE', first, last);
    }
    const [greeter, ...others] = this.members;
    for (const { master, busPort } of others) await greeter?.master.client.call('CLUSTER', 'MEET', '127.0.0.1', master.port, busPort);
    await this.allServe();
  }
}

/** A replica that can be left behind, and then take its master's place without what it has missed. */
export class LaggingReplica {
  constructor(
    private readonly server: ChaosRedis,
    private readonly master: ChaosRedis,
  ) {}

  /** Cuts it off: what the master writes from now on does not reach it. */
  async leaveBehind(): Promise<void> {
    await this.server.client.config('SET', 'masteruser', 'nobody', 'masterauth', 'wrong');
    await this.master.client.call('CLIENT', 'KILL', 'TYPE', 'replica');
    await waitUntil(async () => (await this.server.client.info('replication')).includes('master_link_status:down'), {
      description: 'the replica is cut off',
    });
  }

  /** Makes it the master, and the master its replica, which forgets what only it had. */
  async takeOver(): Promise<void> {
    await this.server.client.cluster('FAILOVER', 'TAKEOVER');
    await waitUntil(async () => (await this.master.client.info('replication')).includes('role:slave'), {
      description: 'the master has become a replica',
    });
  }

  /** Whether it has the key. */
  async has(key: string): Promise<boolean> {
    return (await this.server.client.exists(key)) === 1;
  }
}

async function startMember(): Promise<Member> {
  const busPort = await freePort();
  const cluster = ['--cluster-enabled', 'yes', '--cluster-port', String(busPort)];
  // A short timeout, so that an outage is noticed soon. Slots of other masters are still served.
  const outage = ['--cluster-node-timeout', '1000', '--cluster-require-full-coverage', 'no'];
  return { master: await ChaosRedis.start('always', [...cluster, ...outage]), busPort };
}
