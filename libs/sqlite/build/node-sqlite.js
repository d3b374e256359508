let loaded;
/** Node's SQLite, loaded at the first call. */
export function nodeSqlite() {
    loaded ??= loadQuietly();
    return loaded;
}
function loadQuietly() {
    const emitWarning = Reflect.get(process, 'emitWarning');
    process.emitWarning = (...warning) => {
        if (warning[1] !== 'ExperimentalWarning')
            Reflect.apply(emitWarning, process, warning);
    };
    try {
        return process.getBuiltinModule('node:sqlite');
    }
    finally {
        process.emitWarning = emitWarning;
    }
}
//# sourceMappingURL=node-sqlite.js.map