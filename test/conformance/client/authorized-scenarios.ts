/** What the client does in the scenarios with an authorization server. */
import {
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  type OAuthClientProvider,
  PrivateKeyJwtProvider,
  requestJwtAuthorizationGrant,
} from '@modelcontextprotocol/client';
import { connect } from '@longhaul/client';
import { AgreeingUser, withConsent } from './authorization.ts';
import { WorkloadIdentity } from './workload-identity.ts';
import type { Scenario, ScenarioContext } from './scenario.ts';

/** Lists the tools and calls one; the user is asked as often as the server wants. */
async function callAs(url: string, user: AgreeingUser): Promise<void> {
  const client = await withConsent(user, url, () => connect(url, { transport: { authProvider: user } }));
  await withConsent(user, url, () => client.client.listTools());
  await withConsent(user, url, () => client.callTool('test-tool', {}));
  await client.close();
}

/** The same without a user. */
async function callWith(url: string, authProvider: OAuthClientProvider): Promise<void> {
  const client = await connect(url, { transport: { authProvider } });
  await client.client.listTools();
  await client.close();
}

const asUser: Scenario = (url) => callAs(url, new AgreeingUser());
const withBoundTokens: Scenario = (url) => callAs(url, new AgreeingUser({ bindsTokens: true }));

const crossApp: Scenario = (url, context) =>
  callWith(
    url,
    new CrossAppAccessProvider({
      clientId: text(context, 'client_id'),
      clientSecret: text(context, 'client_secret'),
      async assertion({ authorizationServerUrl, resourceUrl, fetchFn }) {
        const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
          tokenEndpoint: text(context, 'idp_token_endpoint'),
          audience: authorizationServerUrl,
          resource: resourceUrl,
          idToken: text(context, 'idp_id_token'),
          clientId: text(context, 'idp_client_id'),
          fetchFn,
        });
        return jwtAuthGrant;
      },
    }),
  );

function text(context: ScenarioContext, name: string): string {
  const value = context[name];
  if (typeof value !== 'string') throw new Error(`The context of the scenario has no "${name}".`);
  return value;
}

/** Those that are none of the others are done as a user. */
export const authorizedScenarios: Readonly<Record<string, Scenario>> = {
  'auth/*': asUser,
  'auth/dpop': withBoundTokens,
  'auth/dpop-nonce': withBoundTokens,
  'auth/pre-registration': (url, context) =>
    callAs(url, new AgreeingUser({ client: { client_id: text(context, 'client_id'), client_secret: text(context, 'client_secret') } })),
  'auth/client-credentials-basic': (url, context) =>
    callWith(url, new ClientCredentialsProvider({ clientId: text(context, 'client_id'), clientSecret: text(context, 'client_secret') })),
  'auth/client-credentials-jwt': (url, context) =>
    callWith(
      url,
      new PrivateKeyJwtProvider({
        clientId: text(context, 'client_id'),
        privateKey: text(context, 'private_key_pem'),
        algorithm: text(context, 'signing_algorithm'),
      }),
    ),
  'auth/enterprise-managed-authorization': crossApp,
  'auth/wif-jwt-bearer': (url, context) => callWith(url, new WorkloadIdentity(text(context, 'client_id'), text(context, 'valid_jwt'))),
};
