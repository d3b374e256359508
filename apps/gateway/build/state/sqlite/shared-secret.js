import { randomBytes } from 'node:crypto';
import { writing } from '@longhaul/tasks';
/** The secret that all gateways on the file share. The first one draws it; it stays for ever. */
export async function sharedSecret(file) {
    const drawn = randomBytes(32).toString('base64url');
    return writing(file, () => {
        file.database.run("INSERT OR IGNORE INTO secrets (name, secret) VALUES ('gateways', ?)", drawn);
        return file.database.get("SELECT secret FROM secrets WHERE name = 'gateways'").secret;
    });
}
//# sourceMappingURL=shared-secret.js.map