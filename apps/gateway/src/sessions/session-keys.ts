/** Every key that the gateway itself writes to Redis. */
export interface GatewayKeys {
  /** Hash: one session. Expires after the idle time without use. */
  session(id: string): string;
  /** String: what signs the ids of requests to clients. Permanent. */
  readonly secret: string;
}

/** The keys under a prefix. */
export function gatewayKeys(prefix: string): GatewayKeys {
  return { session: (id) => `${prefix}:session:{${id}}`, secret: `${prefix}:secret` };
}
