/** Serves the operator page: the files of its build, from this folder of the package. The page loads nothing from elsewhere. */
import { readdir, readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refused } from './problems.js';

const FOLDER = join(dirname(findPackageJSON('.', import.meta.url) ?? ''), 'dist/page');
const ASSETS = 'assets';
const DOCUMENT = 'index.html';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The page runs, shows, loads and sends only what comes from here; no other page can frame it. */
const SECURITY_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const;

/** A file of the page. */
interface PageFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly zipped: Buffer;
}

type PageFiles = ReadonlyMap<string, PageFile>;

/** Serves the page to everyone who can reach the port: it shows nothing before a login. */
export function pageRoutes(app: FastifyInstance): void {
  let files: Promise<PageFiles> | undefined;
  const open = { schema: { hide: true }, config: { isOpen: true } };
  const send = async (request: FastifyRequest, reply: FastifyReply, name: string): Promise<FastifyReply> => {
    const file = (await (files ??= readPage())).get(name);
    if (file === undefined) throw new Refused(404, 'NO_SUCH_FILE', 'The page has no such file; `npm run build` makes the page.');
    void reply.headers({ ...SECURITY_HEADERS, vary: 'accept-encoding' }).type(file.type);
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(file.plain);
    return reply.header('content-encoding', 'gzip').send(file.zipped);
  };
  app.get('/', open, (request, reply) => send(request, reply, DOCUMENT));
  app.get<{ Params: { name: string } }>(`/${ASSETS}/:name`, open, (request, reply) =>
    send(request, reply, `${ASSETS}/${request.params.name}`),
  );
}

/** All files, by the paths within its folder; none if it was not built. */
async function readPage(): Promise<PageFiles> {
  const files = new Map<string, PageFile>();
  for (const folder of ['', ASSETS]) {
    for (const name of await namesIn(join(FOLDER, folder))) {
      const type = TYPES[extname(name)];
      if (type === undefined) continue;
      const plain = await readFile(join(FOLDER, folder, name));
      files.set(folder === '' ? name : `${folder}/${name}`, { type, plain, zipped: gzipSync(plain, { level: 9 }) });
    }
  }
  return files;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
