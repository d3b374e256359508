/** Fetch with the names that the suite of the reference makes up. Its pages come through the proxy of the settings. */
import { isIP } from 'node:net';
import { callbackify } from 'node:util';
import { fetchFeatures } from '@longhaul/reference-servers/fetch';
import { readSettings } from '@longhaul/reference-servers/fetch/settings';
import { type Network, systemNetwork } from '@longhaul/runtime/guarded-agent';

const settings = readSettings(process.env);

const addressesOf = callbackify(async (name: string) => {
  const response = await fetch(`${process.env['PEERS_WEB']}/addresses/${name}`);
  if (!response.ok) throw new Error(`There is no ${name}.`);
  const addresses = (await response.json()) as string[];
  return addresses.map((address) => ({ address, family: isIP(address) }));
});

const lookup: Network['lookup'] = (name, _options, callback) => addressesOf(name, callback);

/** Read by `loadFeatures`. What cannot be had now is not asked for again: the suite has nothing that changes. */
export const features = fetchFeatures(settings, {
  network: { ...systemNetwork(settings.allowPrivate), lookup },
  retry: { attempts: 1, initialMs: 0, factor: 1 },
});
