import { shortened } from '@longhaul/tasks/text';

const MAX_CHARACTERS = 500;
const MIN_SECRET_CHARACTERS = 4;

/** Prepares the text of a server for an error or a log: one line of bounded length, without a secret in it. */
export type Redaction = (text: string) => string;

/** @param secrets what must not be seen, as it is sent; what is shorter than four characters is no secret */
export function redaction(secrets: readonly string[]): Redaction {
  const hidden = [...new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]))]
    .filter((secret) => secret.length >= MIN_SECRET_CHARACTERS)
    // The longest first: one may be a part of another.
    .sort((a, b) => b.length - a.length);
  return (text) => {
    let shown = text;
    for (const secret of hidden) shown = shown.replaceAll(secret, '[secret]');
    return shortened(shown.replaceAll(/\s+/g, ' ').trim(), MAX_CHARACTERS);
  };
}
