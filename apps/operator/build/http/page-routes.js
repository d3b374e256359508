/** The operator page: what its build has made, from this folder of the package. Nothing of it comes from anywhere else. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Refused } from './problems.js';
const FOLDER = join(dirname(findPackageJSON('.', import.meta.url) ?? ''), 'dist/page');
const ASSETS = 'assets';
const DOCUMENT = 'index.html';
const TYPES = {
    '.html': 'text/html; charset=utf-8',
    '.js': 'text/javascript; charset=utf-8',
    '.css': 'text/css; charset=utf-8',
    '.svg': 'image/svg+xml',
};
/** Nothing is run, shown, loaded or sent but what comes from here; no other page can frame it. */
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
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};
/** Serves the page to everyone who may reach the port: it shows nothing until somebody has logged in. */
export function pageRoutes(app) {
    let files;
    const open = { schema: { hide: true }, config: { isOpen: true } };
    const send = async (request, reply, name) => {
        const file = (await (files ??= readPage())).get(name);
        if (file === undefined)
            throw new Refused(404, 'NO_SUCH_FILE', 'The page has no such file; `npm run build` makes the page.');
        // The names of the others follow from what is in them.
        const lasts = name === DOCUMENT ? 'no-cache' : 'public, max-age=31536000, immutable';
        void reply.headers({ ...SECURITY_HEADERS, etag: file.etag, 'cache-control': lasts, vary: 'accept-encoding' });
        if (request.headers['if-none-match'] === file.etag)
            return reply.code(304).send();
        void reply.type(file.type);
        if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? ''))
            return reply.send(file.plain);
        return reply.header('content-encoding', 'gzip').send(file.zipped);
    };
    app.get('/', open, (request, reply) => send(request, reply, DOCUMENT));
    app.get(`/${ASSETS}/:name`, open, (request, reply) => send(request, reply, `${ASSETS}/${request.params.name}`));
}
/** All of it, by the paths within its folder; nothing where it was not built. */
async function readPage() {
    const files = new Map();
    for (const folder of ['', ASSETS]) {
        for (const name of await namesIn(join(FOLDER, folder))) {
            const type = TYPES[extname(name)];
            if (type === undefined)
                continue;
            const plain = await readFile(join(FOLDER, folder, name));
            const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
            files.set(folder === '' ? name : `${folder}/${name}`, { type, etag, plain, zipped: gzipSync(plain, { level: 9 }) });
        }
    }
    return files;
}
async function namesIn(folder) {
    try {
        return await readdir(folder);
    }
    catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
            return [];
        throw error;
    }
}
//# sourceMappingURL=page-routes.js.map