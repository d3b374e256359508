import { metadataPaths } from '../access/resource.js';
import { allowPage } from './cors.js';
/** How long clients may keep it, seconds. */
const MAX_AGE_S = 300;
/** @param app a scope of its own: what is set on it holds for these routes only */
export function registerMetadataRoutes(app, metadata, checkHost) {
    app.addHook('onRequest', (request, reply, done) => {
        checkHost(request.raw);
        if (allowPage(request, reply))
            return void reply.code(204).send();
        done();
    });
    for (const url of metadataPaths(metadata.resource)) {
        app.get(url, (_request, reply) => reply.header('cache-control', `max-age=${MAX_AGE_S}`).send(metadata));
        // Preflights are answered before; without a route they would not get here.
        app.options(url, (_request, reply) => reply.code(204).header('allow', 'GET').send());
    }
}
//# sourceMappingURL=metadata-routes.js.map