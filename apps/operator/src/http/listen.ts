import type { FastifyInstance } from 'fastify';

/** Why the API cannot listen, in one line that says what to do. */
class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** Starts to listen. @returns its URL. @throws ListenError */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ListenError(`Cannot listen on ${host}:${port}: ${reason}. LONGHAUL_OPS_PORT and LONGHAUL_OPS_HOST say where.`, {
      cause: error,
    });
  }
  const address = app.server.address();
  const boundTo = typeof address === 'object' && address !== null ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${boundTo}`;
}
