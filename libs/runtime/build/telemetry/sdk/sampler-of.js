import { AlwaysOffSampler, AlwaysOnSampler, ParentBasedSampler, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';
const PARENT_BASED = 'parentbased_';
/** The sampler that `OTEL_TRACES_SAMPLER` names. All of them decide alike in every process. */
export function samplerOf({ sampler, samplerArgument }) {
    if (sampler.startsWith(PARENT_BASED))
        return new ParentBasedSampler({ root: plain(sampler.slice(PARENT_BASED.length), samplerArgument) });
    return plain(sampler, samplerArgument);
}
function plain(sampler, ratio) {
    if (sampler === 'always_off')
        return new AlwaysOffSampler();
    return sampler === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}
//# sourceMappingURL=sampler-of.js.map