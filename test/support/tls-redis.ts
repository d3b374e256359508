/**
 * Makes the arguments for a Redis with TLS, client certificates and the users of the documents. Scripts load it too, so it imports nothing
 * of the tests.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Who may connect to the server of a test. */
export const PASSWORDS = { longhaul: 'a-long-random-password', admin: 'of the test itself' } as const;

const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];

/** Makes an authority, and certificates of it for the server and for a client. @throws Error when there is no openssl */
export function makeCertificates(folder: string): void {
  const at = (name: string): string => join(folder, name);
  const make = (name: string, ...more: readonly string[]): void =>
    void execFileSync(
      'openssl',
      ['req', '-x509', ...EC, '-subj', `/CN=${name}`, '-keyout', at(`${name}.key`), '-out', at(`${name}.pem`), ...more],
      { stdio: 'pipe' },
    );
  make('ca', '-addext', 'keyUsage=critical,keyCertSign');
  const signed = ['-CA', at('ca.pem'), '-CAkey', at('ca.key')];
  make('redis', ...signed, '-addext', 'basicConstraints=critical,CA:FALSE', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost');
  make('client', ...signed, '-addext', 'basicConstraints=critical,CA:FALSE');
}

/** Settings of redis-server, with the certificates of a folder: each client at this port needs its own certificate. */
export function tlsSettings(folder: string, port: number): readonly string[] {
  const at = (name: string): string => join(folder, name);
  const files = ['--tls-cert-file', at('redis.pem'), '--tls-key-file', at('redis.key'), '--tls-ca-cert-file', at('ca.pem')];
  return ['--tls-port', String(port), '--tls-auth-clients', 'yes', ...files];
}

/** The address for a user, as `REDIS_URL` has it. */
export function tlsUrl(folder: string, port: number, user: keyof typeof PASSWORDS, withClient = true): string {
  const files = { ca: join(folder, 'ca.pem'), ...(withClient && { cert: join(folder, 'client.pem'), key: join(folder, 'client.key') }) };
  return `rediss://${user}:${encodeURIComponent(PASSWORDS[user])}@127.0.0.1:${port}?${new URLSearchParams(files).toString()}`;
}

/**
 * The users that `docs/redis.md` gives a Redis, as arguments of `ACL SETUSER`, for test prefixes instead of `lh`. One more user may do
 * everything; tests inspect Redis with it.
 */
export function documentedUsers(): readonly (readonly string[])[] {
  const text = readFileSync(new URL('../../docs/redis.md', import.meta.url), 'utf8');
  const users = [...text.matchAll(/^user (\S+ .*)$/gm)].map(([, rules = '']) =>
    rules.split(' ').map((rule) => (/^[~&]/.test(rule) ? rule.replace('lh', 'test-*') : rule)),
  );
  return [['admin', 'on', `>${PASSWORDS.admin}`, '~*', '&*', '+@all'], ...users.toSorted(([name]) => (name === 'default' ? 1 : -1))];
}
