import { describe, expect, it } from 'vitest';
import { maskedEnvironment } from './masked-environment.js';

const masked = (name: string, value: string) => maskedEnvironment({ [name]: value })[name];

describe('the masked environment', () => {
  it.each([
    'GITHUB_TOKEN',
    'LONGHAUL_SECRET',
    'API_KEY',
    'apikey',
    'PGPASSWORD',
    'MYSQL_PWD',
    'SSH_PASSPHRASE',
    'AWS_CREDENTIALS',
    'SSH_AUTH_SOCK',
    'SENTRY_DSN',
  ])('hides the value of %s', (name) => {
    expect(masked(name, 'hush')).toBe('***');
  });

  it.each([
    ['HOME', '/home/ada'],
    ['PWD', '/srv'],
    ['PATH', '/usr/bin:/bin'],
    ['EMPTY', ''],
    ['REDIS_URL', 'redis://127.0.0.1:6379'],
    ['MAIL_FROM', 'ada@example.com'],
  ])('shows %s', (name, value) => {
    expect(masked(name, value)).toBe(value);
  });

  it.each([
    ['redis://ada:hush@h:1/0', 'redis://***@h:1/0'],
    ['postgres://ada:hu/s@h?#@db.example', 'postgres://***@db.example'],
    ['https://ghp_hush@git.example/x https://b:hush@c', 'https://***@git.example/x https://***@c'],
    ['Server=db;User Id=ada;Password=hush;Pooling=1', 'Server=db;User Id=ada;Password=***;Pooling=1'],
    ['https://a.example/?size=1&api_key=hush&x=2', 'https://a.example/?size=1&api_key=***&x=2'],
    ['{"user":"ada","password":"hu,sh"}', '{"user":"ada","password":***}'],
    ['-----BEGIN RSA PRIVATE KEY-----\nhush', '***'],
  ])('hides what is secret within %j', (value, shown) => {
    expect(masked('PLACE', value)).toBe(shown);
  });

  it('has no variable that is not set', () => {
    expect(maskedEnvironment({ GONE: undefined, HERE: '1' })).toEqual({ HERE: '1' });
  });
});
