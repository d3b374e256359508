/**
 * Reads the settings that turn telemetry on: the variables of OpenTelemetry that name where traces and metrics are sent, and the port that
 * metrics are read from. The SDK reads the other variables of OpenTelemetry when it is loaded.
 */
import { z } from 'zod';
import { parseVariables, sharedVariables } from '../../environment.js';
import { optionalWholeNumber } from '../../settings.js';

/** Where OTLP is sent. */
export type OtlpProtocol = 'http/protobuf' | 'http/json';

/** The telemetry that is on. */
export interface TelemetrySettings {
  readonly traces?: {
    readonly protocol: OtlpProtocol;
    readonly sampler: string;
    readonly samplerArgument: number;
    readonly batches: BatchSettings;
  };
  readonly otlpMetrics?: { readonly protocol: OtlpProtocol; readonly everyMs: number };
  /** Where metrics are read from. */
  readonly metricsAt?: { readonly host: string; readonly port: number };
}

/** How spans are collected before they are sent. */
export interface BatchSettings {
  readonly delayMs: number;
  readonly queueSize: number;
  readonly batchSize: number;
}

/** A killed process loses its unsent spans, so they are sent sooner than after OpenTelemetry's 5 s. */
const DELAY_MS = 1_000;
/** A busy worker makes some thousand spans in a second. */
const QUEUE_SIZE = 16_384;
const BATCH_SIZE = 512;
const METRICS_MS = 60_000;

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const url = z
  .string()
  .regex(/^https?:\/\/./, 'must be an http:// or https:// URL')
  .optional();
const protocol = z.enum(['http/protobuf', 'http/json'], 'must be http/protobuf or http/json').optional();
const exporter = z.enum(['otlp', 'none'], 'must be otlp or none').default('otlp');

const environment = z.object({
  LONGHAUL_METRICS_PORT: sharedVariables.LONGHAUL_METRICS_PORT,
  LONGHAUL_METRICS_HOST: sharedVariables.LONGHAUL_METRICS_HOST,
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: protocol,
  OTEL_TRACES_EXPORTER: exporter,
  OTEL_METRICS_EXPORTER: exporter,
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS, `must be one of ${SAMPLERS.join(', ')}`).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .default(1),
  OTEL_BSP_SCHEDULE_DELAY: optionalWholeNumber(1, 600_000),
  OTEL_BSP_MAX_QUEUE_SIZE: optionalWholeNumber(1, 1_000_000),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: optionalWholeNumber(1, 100_000),
  OTEL_METRIC_EXPORT_INTERVAL: optionalWholeNumber(1, 86_400_000),
});

/** The telemetry that the variables turn on. @throws ConfigError that names each wrong variable and its permitted values */
export function telemetrySettings(env: NodeJS.ProcessEnv): TelemetrySettings {
  const data = parseVariables(environment, env);
  const metricsPort = data.LONGHAUL_METRICS_PORT;
  const metricsAt = metricsPort === undefined ? {} : { metricsAt: { host: data.LONGHAUL_METRICS_HOST, port: metricsPort } };
  if (data.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return metricsAt;
  const any = data.OTEL_EXPORTER_OTLP_ENDPOINT;
  const hasTraces = data.OTEL_TRACES_EXPORTER === 'otlp' && (data.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? any) !== undefined;
  const hasMetrics = data.OTEL_METRICS_EXPORTER === 'otlp' && (data.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ?? any) !== undefined;
  const common = data.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/protobuf';
  return {
    ...(hasTraces && {
      traces: {
        protocol: data.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? common,
        sampler: data.OTEL_TRACES_SAMPLER,
        samplerArgument: data.OTEL_TRACES_SAMPLER_ARG,
        batches: {
          delayMs: data.OTEL_BSP_SCHEDULE_DELAY ?? DELAY_MS,
          queueSize: data.OTEL_BSP_MAX_QUEUE_SIZE ?? QUEUE_SIZE,
          batchSize: data.OTEL_BSP_MAX_EXPORT_BATCH_SIZE ?? BATCH_SIZE,
        },
      },
    }),
    ...(hasMetrics && {
      otlpMetrics: {
        protocol: data.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL ?? common,
        everyMs: data.OTEL_METRIC_EXPORT_INTERVAL ?? METRICS_MS,
      },
    }),
    ...metricsAt,
  };
}
