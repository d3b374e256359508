import { createFeatureRegistry } from './feature-registry.js';
import { inFeature } from './feature-scope.js';
import { findModules, importModule } from './find-module.js';
import { describeLoadError } from './load-error.js';
/**
 * Loads the features of modules; gateways and workers must be given the same ones. Each exports `features`, an array of features,
 * and may export `instructions`, a text for the models of clients; `notices`, lines for the log of gateways and workers; and
 * `prepareWorker`, a function that a worker calls before it takes tasks, whose error keeps it from starting.
 *
 * @param modules files, packages or folders: see `findModules`
 * @param besides `import.meta.url` of the application, beside which packages are looked for that the working folder does not have
 * @throws Error with one line that names the module that could not be loaded, and why
 */
export async function loadFeatures(modules, besides) {
    const loaded = [];
    for (const module of modules)
        loaded.push(...(await load(module, besides)));
    const instructions = loaded.flatMap((module) => module.instructions ?? []).join('\n\n');
    return {
        features: createFeatureRegistry(loaded.flatMap(({ features }) => features)),
        instructions: instructions === '' ? undefined : instructions,
        notices: loaded.flatMap(({ notices = [] }) => notices),
        async prepareWorker() {
            for (const module of loaded)
                await module.prepareWorker?.();
        },
    };
}
async function load(module, besides) {
    const { modules, isFolder } = findModules(module, besides);
    const loaded = [];
    for (const found of modules) {
        const exported = await importExports(module, found);
        if (!isFolder || exported.features !== undefined)
            loaded.push(checked(module, exported));
    }
    if (loaded.length === 0)
        throw new Error(`Feature module "${module}" is a folder without a module that exports "features".`);
    return loaded;
}
async function importExports(module, found) {
    try {
        return await inFeature({ kind: 'module', name: module }, () => importModule(found));
    }
    catch (cause) {
        throw new Error(`Feature module "${module}" cannot be loaded: ${describeLoadError(module, found, cause)}`, { cause });
    }
}
function checked(module, exported) {
    if (!Array.isArray(exported.features))
        throw new Error(`Feature module "${module}" does not export an array named "features".`);
    for (const [index, feature] of exported.features.entries()) {
        if (!isFeature(feature))
            throw new Error(`Feature module "${module}": features[${index}] was made neither by a define function nor by featuresOf.`);
    }
    const { instructions, notices, prepareWorker } = exported;
    if (instructions !== undefined && typeof instructions !== 'string')
        throw new Error(`Feature module "${module}" exports "instructions" that are no text.`);
    if (notices !== undefined && !(Array.isArray(notices) && notices.every((line) => typeof line === 'string')))
        throw new Error(`Feature module "${module}" exports "notices" that are no array of texts.`);
    if (prepareWorker !== undefined && typeof prepareWorker !== 'function')
        throw new Error(`Feature module "${module}" exports a "prepareWorker" that is no function.`);
    return exported;
}
const KINDS = ['tool', 'prompt', 'resource', 'resource-template', 'session-job'];
function isFeature(value) {
    return typeof value === 'object' && value !== null && 'kind' in value && KINDS.some((kind) => kind === value.kind);
}
//# sourceMappingURL=load-features.js.map