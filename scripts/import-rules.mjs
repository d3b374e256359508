// Defines the rules of imports, on a graph that tests can make up: see `import-check.mjs`. Type-only imports count too, because a reader
// follows them like any other one.

/**
 * @typedef {object} SourceFile
 * @property {string} path from the repository's folder
 * @property {readonly string[]} imports paths of files of the repository, and names of packages as they are written
 */

/** @typedef {'files in circles' | 'folders in circles' | 'upward imports' | 'imports of Redis' | 'imports of SQLite' | 'imports between protocol versions' | 'imports by path' | 'imports of what is for tests'} Rule */

/** @typedef {{ readonly rule: Rule, readonly arrow: string }} Problem */

/** A package may import those before it, and nothing else of the repository. */
const ORDER = [
  'libs/redis',
  'libs/sqlite',
  'libs/runtime',
  'libs/tasks',
  'libs/sessions',
  'libs/store-redis',
  'libs/store-sqlite',
  'libs/store',
  'libs/mcp-features',
  'libs/everything',
  'libs/reference-servers',
  'libs/client',
  'libs/servers',
  'libs/agent',
  'libs/proxy',
  'apps/gateway',
  'apps/worker',
  'apps/operator',
  'apps/cli',
];

/** The modules that speak to Redis. Other entries of `@longhaul/redis` do not: addresses, defaults, and the meaning of errors. */
const REDIS = /^(ioredis|bullmq|@longhaul\/redis)$/;

/** Where that may be: what connects, and the store. */
const SPEAKS_TO_REDIS = /^libs\/(redis|store-redis)\//;

/** The modules that read and write a data file. */
const SQLITE = /^(node:sqlite|@longhaul\/sqlite)$/;

const SPEAKS_TO_SQLITE = /^libs\/(sqlite|store-sqlite)\//;

/** Inside of a package, which others import by its name and by the entries that it exports; and scripts, which nothing else imports. */
const INSIDE = /^(?:(?:(?:libs|apps)\/[^/]+|bench)\/src|scripts)\//;

/** A package's entry for tests, by name or as files. */
const FOR_TESTS = /^(?:@longhaul\/[^/]+|longhaul)\/testing$|\/src\/testing(?:\.ts$|\/)/;

/**
 * Everything that breaks a rule, arrow by arrow.
 *
 * @param {readonly SourceFile[]} files
 * @returns {readonly Problem[]}
 */
export function problemsOf(files) {
  /** @param {string} unit */
  const of = (unit) => files.filter(({ path }) => unitOf(path) === unit);
  const inPackages = files.filter(({ path }) => ORDER.includes(unitOf(path)));
  const elsewhere = files.filter(({ path }) => !ORDER.includes(unitOf(path)));
  return [
    ...[...ORDER, 'scripts'].flatMap((unit) => circlesIn(of(unit))),
    ...named(
      'upward imports',
      ORDER.flatMap((unit) => upward(of(unit), unit)),
    ),
    ...named('imports of Redis', outside(inPackages, SPEAKS_TO_REDIS, REDIS)),
    ...named('imports of SQLite', outside(inPackages, SPEAKS_TO_SQLITE, SQLITE)),
    ...named('imports between protocol versions', betweenVersions(inPackages)),
    ...named('imports by path', byPath(elsewhere)),
    ...named('imports of what is for tests', ofTesting(files)),
  ];
}

/** @param {Rule} rule @param {readonly string[]} arrows @returns {readonly Problem[]} */
function named(rule, arrows) {
  return arrows.map((arrow) => ({ rule, arrow }));
}

/** @param {readonly SourceFile[]} files of one unit @returns {readonly Problem[]} */
function circlesIn(files) {
  return [
    ...named('files in circles', inCircles(arrowsBetween(files, (path) => path))),
    ...named('folders in circles', inCircles(arrowsBetween(files, folderOf))),
  ];
}

/** @param {string} path @returns {string} `libs/tasks`, `apps/cli`, `test`, … */
function unitOf(path) {
  return path.split('/', /^(libs|apps)\//.test(path) ? 2 : 1).join('/');
}

/** @param {string} path @returns {string} the folder; a file that lies in no folder of its package stands for itself */
function folderOf(path) {
  const folder = path.slice(0, path.lastIndexOf('/'));
  return folder.endsWith('/src') || folder === 'scripts' ? path : folder;
}

/**
 * @param {readonly SourceFile[]} files
 * @param {(path: string) => string} nodeOf
 * @returns {Map<string, Set<string>>} to what each node has arrows
 */
function arrowsBetween(files, nodeOf) {
  const own = new Set(files.map(({ path }) => path));
  /** @type {Map<string, Set<string>>} */
  const arrows = new Map();
  for (const { path, imports } of files) {
    const targets = imports.filter((target) => own.has(target)).map(nodeOf);
    const node = nodeOf(path);
    arrows.set(node, new Set([...(arrows.get(node) ?? []), ...targets.filter((target) => target !== node)]));
  }
  return arrows;
}

/**
 * @param {ReadonlyMap<string, ReadonlySet<string>>} arrows
 * @returns {readonly string[]} the arrows with a path from their end back to their start
 */
function inCircles(arrows) {
  /** @param {string} start */
  const reachedFrom = (start) => {
    const reached = new Set([start]);
    for (const node of reached) for (const next of arrows.get(node) ?? []) reached.add(next);
    return reached;
  };
  const reached = new Map([...arrows.keys()].map((node) => [node, reachedFrom(node)]));
  return [...arrows].flatMap(([from, targets]) =>
    [...targets].filter((to) => reached.get(to)?.has(from) === true).map((to) => `${from} → ${to}`),
  );
}

/**
 * @param {readonly SourceFile[]} files
 * @param {string} unit
 * @returns {readonly string[]}
 */
function upward(files, unit) {
  const below = new Set(ORDER.slice(0, ORDER.indexOf(unit)).map((name) => name.replace(/^(libs|apps)\//, '@longhaul/')));
  return files.flatMap(({ path, imports }) =>
    imports
      .filter((target) => {
        const [, name] = /^(@longhaul\/[^/]+)/.exec(target) ?? [];
        // By path, nothing outside of the package may be imported at all.
        return name === undefined ? /^(libs|apps|scripts|test)\//.test(target) && unitOf(target) !== unit : !below.has(name);
      })
      .map((target) => `${path} → ${target}`),
  );
}

/**
 * @param {readonly SourceFile[]} files
 * @param {RegExp} places where the targets may be imported
 * @param {RegExp} targets
 * @returns {readonly string[]} imports of the targets elsewhere
 */
function outside(files, places, targets) {
  return files.flatMap(({ path, imports }) =>
    places.test(path) ? [] : imports.filter((target) => targets.test(target)).map((target) => `${path} → ${target}`),
  );
}

/**
 * @param {readonly SourceFile[]} files
 * @returns {readonly string[]}
 */
function betweenVersions(files) {
  return files.flatMap(({ path, imports }) => {
    const version = versionOf(path);
    return imports
      .filter((target) => version !== undefined && versionOf(target) !== undefined && versionOf(target) !== version)
      .map((target) => `${path} → ${target}`);
  });
}

/** @param {string} path @returns {string | undefined} the protocol version of the folder that contains it */
function versionOf(path) {
  return /\/generation-(\d+)\//.exec(path)?.[1];
}

/**
 * @param {readonly SourceFile[]} files that lie in no package of `ORDER`; in those it is an upward import
 * @returns {readonly string[]}
 */
function byPath(files) {
  return files.flatMap(({ path, imports }) =>
    imports.filter((target) => INSIDE.test(target) && unitOf(target) !== unitOf(path)).map((target) => `${path} → ${target}`),
  );
}

/**
 * @param {readonly SourceFile[]} files
 * @returns {readonly string[]}
 */
function ofTesting(files) {
  return files
    .filter(({ path }) => !['test', 'scripts'].includes(unitOf(path)) && !FOR_TESTS.test(path))
    .flatMap(({ path, imports }) => imports.filter((target) => FOR_TESTS.test(target)).map((target) => `${path} → ${target}`));
}
