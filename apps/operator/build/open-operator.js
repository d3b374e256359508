/** Puts the operator API together: the only place that does. */
import { loadFeatures as loadModules } from '@longhaul/mcp-features';
import { createOwnerStore, limitOr, OPERATORS_OWNER, ownerLimitsOf, Revocations, Tenants } from '@longhaul/sessions';
import { packageVersion } from '@longhaul/runtime/package-version';
import { AuditWriter, createOperatorService, logTasks } from '@longhaul/tasks';
import { createAudited } from './access/audit.js';
import { createDoor } from './access/door.js';
import { BulkOperations } from './bulk/bulk-operations.js';
import { BulkRecords } from './bulk/bulk-record.js';
import { buildApp } from './app.js';
import { ChangeFeed } from './live/change-feed.js';
import { LiveLists } from './live/live-list.js';
import { createToolCatalogue } from './tools/tool-catalogue.js';
export async function openOperator({ backend, config, logger, tokens, local, ...given }) {
    const onError = (error) => logger.error({ err: error }, 'store');
    const tenants = new Tenants({ config: config.tenants, overrides: backend.tenants, onError });
    await tenants.start();
    const limitsOf = ownerLimitsOf(config.ownerLimits, tenants);
    const tasks = given.tasks ?? createOperatorService(backend, { onError, onTask: logTasks(logger, config.atRest !== undefined), limits: limitsOf });
    const { loadFeatures = async () => (await loadModules(config.featureModules, import.meta.url)).features } = given;
    const auditWriter = new AuditWriter({ log: backend.audit, chain: 'operators', keep: config.auditEntries, onError });
    const audited = createAudited(auditWriter);
    const records = new BulkRecords(createOwnerStore(backend.ownerRecords).of({ id: OPERATORS_OWNER }).collection('bulk'));
    const bulk = new BulkOperations({ tasks, records, audited, answersAllowed: config.opsAnswers, onError });
    const feed = new ChangeFeed({ tasks, onError });
    const app = await buildApp({
        tasks,
        bulk,
        feed,
        revocations: new Revocations(backend.ownerRecords),
        lists: new LiveLists(tasks, feed),
        catalogue: createToolCatalogue({ loadFeatures, tasks }),
        sessionPlaces: backend.sessionPlaces,
        tenants,
        limitsOf,
        openSessionsOf: (owner) => limitOr(tenants.ofOwner(owner).openSessions, config.openSessions),
        overrides: backend.tenants,
        auditLog: backend.audit,
        auditEntries: config.auditEntries,
        audited,
        door: tokens && createDoor(tokens),
        local,
        answersAllowed: config.opsAnswers,
        maxTtlMs: config.maxTtlMs,
        host: config.opsHost,
        allowedHosts: config.opsAllowedHosts,
        ping: () => backend.ping(),
        logger,
        version: packageVersion(import.meta.url),
    });
    return {
        app,
        bulk,
        close: async () => {
            tenants.stop();
            await bulk.close();
            await app.close();
            await auditWriter.close();
        },
    };
}
//# sourceMappingURL=open-operator.js.map