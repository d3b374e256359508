/** Defines the environment variables of these features. Only this file names them, their defaults and limits. */
import { networkVariables, parseVariables } from '@longhaul/runtime/environment';
import { list, settings, wholeNumber, yesOrNo } from '@longhaul/runtime/settings';
import { z } from 'zod';
import { DEFAULT_DOWNLOAD_LIMITS, type DownloadLimits } from './download/download-limits.js';

/** The settings of the features. */
export interface EverythingSettings {
  readonly researchStageMs: number;
  readonly simulatedUpdatesMs: number;
  readonly exposeEnv: boolean;
  readonly gzip: DownloadLimits;
}

const MINUTE_MS = 60_000;
const DOMAIN = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*$/u;

const environment = z.object({
  ...networkVariables,
  ...settings('tools', {
    LONGHAUL_RESEARCH_STAGE_MS: wholeNumber(0, 60 * MINUTE_MS, 1_000).describe('The length of each stage of `simulate-research-query`'),
    LONGHAUL_SIMULATED_UPDATES_MS: wholeNumber(100, 60 * MINUTE_MS, 5_000).describe(
      'The interval of the session jobs `simulated-logging` and `simulated-resource-updates`',
    ),
    LONGHAUL_EXPOSE_ENV: yesOrNo.describe(
      '`1` lists the tool `get-env`. It shows the variables of your gateway to every client, with secrets masked',
    ),
    LONGHAUL_GZIP_MAX_BYTES: wholeNumber(1, 100 * 1024 * 1024, DEFAULT_DOWNLOAD_LIMITS.maxBytes).describe(
      'The largest file that `gzip-file-as-resource` reads',
    ),
    LONGHAUL_GZIP_MAX_MS: wholeNumber(1, 60 * MINUTE_MS, DEFAULT_DOWNLOAD_LIMITS.maxMs).describe('The longest time that it reads'),
    LONGHAUL_GZIP_ALLOWED_DOMAINS: list
      .refine((domains) => domains.every((domain) => DOMAIN.test(domain)), 'must be domains such as example.com, separated by commas')
      .meta({
        allowed: 'domains such as `example.com`, separated by commas',
        description: 'Domains that `gzip-file-as-resource` reads from, with subdomains. By default all',
      }),
    LONGHAUL_GZIP_ALLOW_PRIVATE: yesOrNo.describe('`1` lets `gzip-file-as-resource` read from private and special addresses too'),
  }),
});

/** @throws ConfigError naming each wrong variable, what it is and what it may be */
export function readSettings(env: NodeJS.ProcessEnv): EverythingSettings {
  const data = parseVariables(environment, env);
  return {
    researchStageMs: data.LONGHAUL_RESEARCH_STAGE_MS,
    simulatedUpdatesMs: data.LONGHAUL_SIMULATED_UPDATES_MS,
    exposeEnv: data.LONGHAUL_EXPOSE_ENV,
    gzip: {
      maxBytes: data.LONGHAUL_GZIP_MAX_BYTES,
      maxMs: data.LONGHAUL_GZIP_MAX_MS,
      allowedDomains: data.LONGHAUL_GZIP_ALLOWED_DOMAINS,
      allowPrivateAddresses: data.LONGHAUL_GZIP_ALLOW_PRIVATE,
      privateNetworks: data.LONGHAUL_PRIVATE_NETWORKS,
    },
  };
}
