/** Tests that the alert rules and the dashboard tell one deployment from another that the same Prometheus watches. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const textOf = (path: string): string => readFileSync(new URL(`../../../deploy/${path}`, import.meta.url), 'utf8');

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
}
interface Dashboard {
  readonly templating: { readonly list: readonly { readonly name: string; readonly allValue?: string }[] };
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
}

const rules = (parse(textOf('prometheus/alerts.yaml')) as Rules).groups.flatMap((group) => group.rules).map(({ expr }) => expr);

describe('of two deployments in one Prometheus', () => {
  it.each(rules)('each has its own alert by %s', (expr) => {
    const aggregations = expr.match(/\b(?:sum|max|min|avg|count)\b/g) ?? [];
    const byDeployment = expr.match(/\b(?:sum|max|min|avg|count) by \(namespace, app_kubernetes_io_instance\b/g) ?? [];
    expect(aggregations.length).toBeGreaterThan(0);
    expect(byDeployment).toHaveLength(aggregations.length);
  });

  it('the dashboard shows one or all, also without the labels of Kubernetes', () => {
    const { templating, panels } = JSON.parse(textOf('grafana/longhaul.json')) as Dashboard;
    const [, ...chosen] = templating.list;
    expect(chosen).toEqual(['namespace', 'release'].map((name) => expect.objectContaining({ name, allValue: '.*' }) as unknown));
    for (const { expr } of panels.flatMap(({ targets }) => targets)) {
      const selectors = expr.match(/\{[^}]*\}/g) ?? [];
      const metrics = expr.replaceAll(/by \([^)]*\)|\{[^}]*\}/g, '').match(/\b(?:longhaul|mcp|db)_\w+/g) ?? [];
      expect(selectors, expr).toHaveLength(metrics.length);
      for (const selector of selectors)
        expect(selector, expr).toMatch(/namespace=~"\$namespace", app_kubernetes_io_instance=~"\$release"\}$/);
    }
  });
});
