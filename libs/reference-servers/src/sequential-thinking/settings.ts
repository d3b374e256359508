/** Reads the environment variable of the tool, which is the reference server's. */
export function readSettings(env: NodeJS.ProcessEnv): { readonly isLogged: boolean } {
  return { isLogged: env['DISABLE_THOUGHT_LOGGING']?.toLowerCase() !== 'true' };
}
