import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, it } from 'vitest';
import { createProofCheck } from './dpop-proof.js';

const PUBLIC_URL = 'https://mcp.example.com/mcp';

it('a proof with another key than that of the token is refused before its signature is verified', async () => {
  const check = createProofCheck({ publicUrl: PUBLIC_URL, rates: { take: async () => 0 } });
  const [own, other] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('RS256')]);
  const thumbprint = await calculateJwkThumbprint(await exportJWK(own.publicKey));
  const proof = await new SignJWT({ htm: 'POST', htu: PUBLIC_URL, jti: 'a' })
    .setProtectedHeader({ alg: 'RS256', typ: 'dpop+jwt', jwk: await exportJWK(other.publicKey) })
    .sign(other.privateKey);
  const [header, claims] = proof.split('.');
  const request = { method: 'POST', headers: { dpop: `${header}.${claims}.AAAA` }, rawHeaders: [] };
  await expect(check(request, 'token', thumbprint)).rejects.toThrow('another key than that of the token');
});
