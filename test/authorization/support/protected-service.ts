/** A gateway and a worker in this process that take the tokens of a test issuer. */
import { readConfig } from '@longhaul/gateway';
import { forAllTests } from '../../support/for-all-tests.js';
import { startService, type TestService, type TestServiceOptions } from '../../integration/gateway/support/gateway.js';
import { accessSettings, TestIssuer } from './test-issuer.js';

/** What is special about it. */
export interface ProtectedOptions extends TestServiceOptions {
  /** Members of the issuer's setting. */
  readonly issuer?: object;
  /** More variables. */
  readonly env?: NodeJS.ProcessEnv;
}

/** The service, its issuer, and its address. */
export interface ProtectedService {
  readonly service: TestService;
  readonly issuer: TestIssuer;
  readonly url: string;
  close(): Promise<void>;
}

export async function startProtected({ issuer: more, env, ...options }: ProtectedOptions = {}): Promise<ProtectedService> {
  const issuer = await TestIssuer.start();
  const settings = { ...accessSettings(readConfig, [issuer.setting(more)], env), ...options.settings };
  const service = await startService({ ...options, settings });
  return {
    service,
    issuer,
    url: await service.listen(),
    async close() {
      await service.close();
      await issuer.close();
    },
  };
}

/** One for all tests of the file or `describe` that calls this. */
export function protectedForTests(options: ProtectedOptions = {}): ProtectedService {
  return forAllTests(
    () => startProtected(options),
    (started) => started.close(),
  );
}
