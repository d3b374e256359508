import { AlwaysOffSampler, AlwaysOnSampler, ParentBasedSampler, type Sampler, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';
import type { TelemetrySettings } from '../port/telemetry-settings.js';

const PARENT_BASED = 'parentbased_';

/** The sampler that `OTEL_TRACES_SAMPLER` names. All samplers decide alike in every process. */
export function samplerOf({ sampler, samplerArgument }: NonNullable<TelemetrySettings['traces']>): Sampler {
  if (sampler.startsWith(PARENT_BASED)) return new ParentBasedSampler({ root: plain(sampler.slice(PARENT_BASED.length), samplerArgument) });
  return plain(sampler, samplerArgument);
}

function plain(sampler: string, ratio: number): Sampler {
  if (sampler === 'always_off') return new AlwaysOffSampler();
  return sampler === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}
