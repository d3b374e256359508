/** Selects the variables that processes of a test inherit: the paths of programs, and the cache of compiled code. */
export const INHERITED_ENV: Readonly<Record<string, string>> = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);
