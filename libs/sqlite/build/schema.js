/** "LHUL", by which a file is known to be Longhaul's: https://sqlite.org/pragma.html#pragma_application_id */
const APPLICATION_ID = 0x4c48554c;
/**
 * Takes a new file for Longhaul.
 *
 * @throws Error with one line, when it is a database of another program
 */
export async function claimFile(database) {
    if (isClaimed(database))
        return;
    await database.transaction(() => {
        if (isClaimed(database))
            return;
        if (database.get('SELECT 1 FROM sqlite_schema LIMIT 1') !== undefined)
            throw new Error(`${database.path} is a database of another program: move it away, or set LONGHAUL_DATA_DIR to another folder.`);
        database.exec(`
      PRAGMA application_id = ${APPLICATION_ID};
      CREATE TABLE schema_steps (
        part TEXT NOT NULL, step INTEGER NOT NULL, name TEXT NOT NULL, made_at INTEGER NOT NULL,
        PRIMARY KEY (part, step)
      ) STRICT, WITHOUT ROWID;
    `);
    });
}
/**
 * Makes the steps of a part that the file does not have yet, all or none.
 *
 * @throws Error with one line, when the file has steps that this code does not know
 */
export async function bringForward(database, part) {
    if (stepsToMake(database, part).length === 0)
        return;
    await database.transaction(() => {
        for (const { step, name, sql } of stepsToMake(database, part)) {
            database.exec(sql);
            database.run('INSERT INTO schema_steps (part, step, name, made_at) VALUES (?, ?, ?, ?)', part.name, step, name, Date.now());
        }
        const { count } = database.get('SELECT count(*) AS count FROM schema_steps');
        database.exec(`PRAGMA user_version = ${count}`);
    });
}
function stepsToMake(database, { name: part, steps }) {
    const made = database.all('SELECT name FROM schema_steps WHERE part = ? ORDER BY step', part);
    const unknown = made.find(({ name }, index) => steps[index]?.name !== name);
    if (unknown !== undefined)
        throw new Error(`${database.path} was written by a newer Longhaul (its ${part} have "${unknown.name}"): run that version or a later one, or set LONGHAUL_DATA_DIR to another folder.`);
    return steps.map((step, index) => ({ ...step, step: index + 1 })).slice(made.length);
}
function isClaimed(database) {
    return database.get('PRAGMA application_id')?.['application_id'] === APPLICATION_ID;
}
//# sourceMappingURL=schema.js.map