/** Starts a Redis for one test that accepts only TLS with client certificates, and has only the users of the documents. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@longhaul/bench/free-port';
import { ChaosRedis } from './chaos-redis.js';
import type { RedisLocation } from './redis.js';
import { documentedUsers, makeCertificates, tlsSettings, tlsUrl } from './tls-redis.js';
import { TestFolder } from './test-folder.js';

export class SecureRedis {
  private constructor(
    readonly server: ChaosRedis,
    readonly folder: TestFolder,
    readonly port: number,
  ) {}

  static async start(): Promise<SecureRedis> {
    const folder = new TestFolder();
    makeCertificates(folder.path);
    const port = await freePort();
    const server = await ChaosRedis.start('everysec', tlsSettings(folder.path, port));
    // The last one shuts out everyone without a name; the connection that says so stays.
    for (const rules of documentedUsers()) await server.client.call('ACL', 'SETUSER', ...rules);
    return new SecureRedis(server, folder, port);
  }

  /** Where the user of the documents is let in. */
  get location(): RedisLocation {
    return { url: tlsUrl(this.folder.path, this.port, 'longhaul'), cluster: false, adminUrl: tlsUrl(this.folder.path, this.port, 'admin') };
  }

  /** The files, for a connection of the test's own. */
  get material(): { readonly ca: string; readonly cert: string; readonly key: string } {
    const [ca, cert, key] = ['ca.pem', 'client.pem', 'client.key'].map((name) => readFileSync(join(this.folder.path, name), 'utf8'));
    return { ca: ca ?? '', cert: cert ?? '', key: key ?? '' };
  }

  /** A command that a user was refused: `reason: object`. */
  async refusals(): Promise<readonly string[]> {
    const entries = (await this.server.client.call('ACL', 'LOG', '128')) as string[][];
    // Redis from 7.2 on takes the name of the library, which is left to who runs it.
    return entries.map((entry) => `${entry[3]}: ${entry[7]}`).filter((refusal) => refusal !== 'command: client|setinfo');
  }

  async close(): Promise<void> {
    await this.server.close();
    this.folder.remove();
  }
}
