/**
 * Masks environment variables that look like secrets. It guesses by names and shapes, and prefers to mask too much. A secret that does not
 * look like one stays visible.
 */
const MASK = '***';

const SECRET_WORDS =
  'token|secret|key|passw|passphrase|pwd|credential|auth|cookie|private|signature|salt|jwt|dsn|connection_?string|webhook';

// oxlint-disable-next-line no-restricted-globals -- Of constants.
const SECRET_NAME = new RegExp(SECRET_WORDS, 'i');

/** Names that only look like a password: the working directories of a shell. */
const HARMLESS = new Set(['PWD', 'OLDPWD']);

/** From the scheme to the last `@`, because a password may hold any character. */
const USER_INFO = /([a-z][a-z0-9+.-]*:\/\/)\S*@/gi;

/** `Password=x`, `?token=x`, `"apiKey":"x"` within a value. */
// oxlint-disable-next-line no-restricted-globals -- Of constants.
const PAIR = new RegExp(`((?:${SECRET_WORDS})[\\w-]*["']?\\s*[=:]\\s*)("[^"]*"|'[^']*'|[^\\s;&,]+)`, 'gi');

const PEM = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;

/** The variables, with what looks like a secret masked. */
export function maskedEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const masked: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined) masked[name] = isSecretName(name) || PEM.test(value) ? MASK : maskedValue(value);
  }
  return masked;
}

function isSecretName(name: string): boolean {
  return !HARMLESS.has(name) && SECRET_NAME.test(name);
}

function maskedValue(value: string): string {
  return value.replaceAll(USER_INFO, `$1${MASK}@`).replaceAll(PAIR, `$1${MASK}`);
}
