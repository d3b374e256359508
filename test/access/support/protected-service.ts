/** A gateway and a worker in this process that take the tokens of a test issuer. */
import { readConfig } from '@longhaul/gateway';
import { forAllTests } from '../../support/for-all-tests.js';
import { startService, type TestService, type TestServiceOptions } from '../../support/gateway/gateway.js';
import { accessSettings, TestIssuer } from './test-issuer.js';

/** What is special about it. */
export interface ProtectedOptions extends TestServiceOptions {
  /** Members of the issuer's setting. */
  readonly issuer?: object;
  /** Whether the issuer is asked about tokens that only it can read. */
  readonly introspects?: boolean;
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

const SECRETS = { INTROSPECTION_SECRET: 'of-a-test' };

function introspectionOf({ url }: TestIssuer): object {
  return { introspection: { url: `${url}/introspect`, clientId: 'longhaul', clientSecretEnv: 'INTROSPECTION_SECRET' } };
}

export async function startProtected({
  issuer: more,
  introspects = false,
  env,
  ...options
}: ProtectedOptions = {}): Promise<ProtectedService> {
  const issuer = await TestIssuer.start();
  const settings = {
    ...accessSettings(readConfig, [issuer.setting({ ...more, ...(introspects && introspectionOf(issuer)) })], { ...SECRETS, ...env }),
    ...options.settings,
  };
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
