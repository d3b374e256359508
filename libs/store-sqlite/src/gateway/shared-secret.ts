import { randomBytes } from 'node:crypto';
import { type TaskFile, writing } from '../tasks/task-file.js';

/** The secret that all gateways on the file share. The first gateway draws it; it stays for ever. */
export async function sharedSecret(file: TaskFile): Promise<string> {
  const drawn = randomBytes(32).toString('base64url');
  return writing(file, () => {
    file.database.run("INSERT OR IGNORE INTO secrets (name, secret) VALUES ('gateways', ?)", drawn);
    return (file.database.get("SELECT secret FROM secrets WHERE name = 'gateways'") as { secret: string }).secret;
  });
}
