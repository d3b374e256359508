import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { imagesIn, pinned } from './packages/pin-images.mjs';

const textOf = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
const digest = (letter: string): string => `sha256:${letter.repeat(64)}`;

describe('the images of others', () => {
  it('are those that images are made from and that the compose file starts, but for those of variables', () => {
    expect(imagesIn(textOf('Dockerfile'))).toEqual(['node:24-slim']);
    expect(imagesIn(textOf('deploy/authorization-server/Dockerfile'))).toEqual(['node:24-slim']);
    expect(imagesIn(textOf('docker-compose.yml'))).toEqual(['redis:8-alpine', 'nginx:stable-alpine']);
  });

  it('are named by digest in every place, and by another one when that has changed', () => {
    const compose = textOf('docker-compose.yml');
    const first = pinned(
      compose,
      new Map([
        ['redis:8-alpine', digest('a')],
        ['nginx:stable-alpine', digest('b')],
      ]),
    );
    expect(first.match(new RegExp(`image: redis:8-alpine@${digest('a')}$`, 'gm'))).toHaveLength(2);
    expect(first).toContain(`image: nginx:stable-alpine@${digest('b')}\n`);
    expect(first).toContain('image: longhaul-gateway:${LONGHAUL_TAG:-latest}\n');
    expect(first).toContain('image: longhaul-authorization-server:development\n');
    const second = pinned(
      first,
      new Map([
        ['redis:8-alpine', digest('c')],
        ['nginx:stable-alpine', digest('b')],
      ]),
    );
    expect(second).toBe(first.replaceAll(digest('a'), digest('c')));
    expect(pinned('FROM node:24-slim AS base\n', new Map([['node:24-slim', digest('a')]]))).toBe(
      `FROM node:24-slim@${digest('a')} AS base\n`,
    );
  });

  it('are left as they are where one has no digest', () => {
    expect(() => pinned('FROM node:24-slim\n', new Map([['node:24-slim', 'an error']]))).toThrow('node:24-slim has no digest');
  });
});
