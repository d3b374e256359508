# Four images from one file:
#
#   docker build --target gateway -t longhaul-gateway .
#   docker build --target worker -t longhaul-worker .
#   docker build --target operator -t longhaul-operator .
#   docker build --target longhaul -t longhaul .
#
# The last one is all of it, the command `longhaul`. docker-bake.hcl builds them for several architectures.
#
# Only what every builder can do, the classic one included. Nothing is written at run time, so the root file system can
# be read-only. The apps listen for signals as their first act, so they can be process 1. An init process (`docker run
# --init`, `init: true`) covers the moment before, in which node itself starts.

FROM node:24-slim AS sources
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.base.json ./
COPY bench/package.json bench/
COPY examples/package.json examples/
COPY packages/create-longhaul/package.json packages/create-longhaul/
COPY scripts scripts
COPY libs libs
COPY apps apps

# The manifests of all workspaces, whichever there are.
FROM sources AS only-manifests
RUN find apps libs -type f ! -name package.json -delete && find apps libs -type d -empty -delete

# A copy by content: what follows is done again only when a manifest or the lock file changes.
FROM node:24-slim AS manifests
WORKDIR /app
COPY --from=only-manifests /app ./

# What gateway and worker need to run: no development tools, not what the repository itself builds with, no declarations, no source maps
# of others.
FROM manifests AS dependencies
RUN npm ci --omit=dev --ignore-scripts --workspace apps/gateway --workspace apps/worker \
 && rm -rf node_modules/rolldown node_modules/@rolldown \
 && find node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' \) -delete

# What the operator API needs to run.
FROM manifests AS dependencies-of-operator
RUN npm ci --omit=dev --ignore-scripts --workspace apps/operator \
 && rm -rf node_modules/rolldown node_modules/@rolldown \
 && find node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' \) -delete

# The same for the command, which is all of them and more.
FROM manifests AS dependencies-of-all
RUN npm ci --omit=dev --ignore-scripts --workspace apps/cli \
 && rm -rf node_modules/rolldown node_modules/@rolldown \
 && find node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' \) -delete

# Everything that it takes to build. The image's own Node does it.
FROM manifests AS tools
RUN npm ci

FROM tools AS build
COPY --from=sources /app ./
RUN node -e "import('./scripts/tools.mjs').then(({ build }) => build()).then((made) => process.exit(made ? 0 : 1))" \
 && find apps libs -type f ! -name package.json ! -path '*/dist/*.js' ! -path 'apps/operator/dist/page/*' ! -path 'libs/everything/documents/*' ! -path 'apps/gateway/task-app/*' -delete \
 && find apps libs -type d -empty -delete

FROM node:24-slim AS base
# As libs/runtime/src/node-flags.ts says.
ENV NODE_ENV=production NODE_OPTIONS=--max-semi-space-size=8
WORKDIR /app
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.vendor="Longhaul" \
      org.opencontainers.image.url="https://github.com/longhaul-dev/longhaul" \
      org.opencontainers.image.source="https://github.com/longhaul-dev/longhaul" \
      org.opencontainers.image.documentation="https://github.com/longhaul-dev/longhaul/blob/main/docs/deployment.md"
# What is compiled when an image is built need not be compiled at each start. It is kept per user, and nothing is added later.
ENV NODE_COMPILE_CACHE=/app/.compiled
RUN mkdir .compiled && chown 1000:1000 .compiled
# The user `node` of the base image, as numbers, so that Kubernetes sees that it is not root.
USER 1000:1000

# For the git tools. Gateways need none.
FROM base AS base-with-git
USER 0:0
# Of the version that Debian has repaired last.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends git \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/*
USER 1000:1000

FROM base AS gateway
COPY --from=dependencies /app ./
COPY --from=build /app/libs libs
COPY --from=build /app/apps/gateway apps/gateway
RUN node -e "import('/app/apps/gateway/dist/run-gateway.js')" && chmod -R a-w .compiled
LABEL org.opencontainers.image.title="longhaul-gateway" \
      org.opencontainers.image.description="Speaks MCP over HTTP and keeps tasks in Redis"
# Whether everyone who reaches that address is let in is left to who runs it: LONGHAUL_ALLOW_ANONYMOUS.
ENV HOST=0.0.0.0 PORT=3000
EXPOSE 3000
# It also ends a gateway that has stopped to answer, which takes an init process as process 1.
HEALTHCHECK --interval=5s --timeout=30s --start-period=15s --retries=3 CMD ["node", "apps/gateway/dist/health-check.js"]
CMD ["node", "apps/gateway/dist/main.js"]

FROM base-with-git AS worker
COPY --from=dependencies /app ./
COPY --from=build /app/libs libs
COPY --from=build /app/apps/worker apps/worker
RUN node -e "import('/app/apps/worker/dist/run-worker.js')" && chmod -R a-w .compiled
LABEL org.opencontainers.image.title="longhaul-worker" \
      org.opencontainers.image.description="Runs the tasks of longhaul-gateway"
# Nothing but health checks is answered there.
ENV HOST=0.0.0.0 LONGHAUL_HEALTH_PORT=3001
EXPOSE 3001
HEALTHCHECK --interval=5s --timeout=5s --start-period=15s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.LONGHAUL_HEALTH_PORT}/readyz`, { signal: AbortSignal.timeout(4000) }).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/worker/dist/main.js"]

FROM base AS operator
COPY --from=dependencies-of-operator /app ./
COPY --from=build /app/libs libs
COPY --from=build /app/apps/operator apps/operator
RUN node -e "import('/app/apps/operator/dist/run-operator.js')" && chmod -R a-w .compiled
LABEL org.opencontainers.image.title="longhaul-operator" \
      org.opencontainers.image.description="Shows every task of a deployment of Longhaul to those who operate it"
# Without LONGHAUL_OPS_TOKENS it does not start at such an address.
ENV LONGHAUL_OPS_HOST=0.0.0.0 LONGHAUL_OPS_PORT=3010
EXPOSE 3010
HEALTHCHECK --interval=5s --timeout=5s --start-period=15s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.LONGHAUL_OPS_PORT}/readyz`, { signal: AbortSignal.timeout(4000) }).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/operator/dist/main.js"]

FROM base-with-git AS longhaul
COPY --from=dependencies-of-all /app ./
COPY --from=build /app/libs libs
COPY --from=build /app/apps apps
RUN node apps/cli/dist/main.js --version && chmod -R a-w .compiled
# The last one is what the registry of MCP servers knows it by.
LABEL org.opencontainers.image.title="longhaul" \
      org.opencontainers.image.description="Durable tasks for the Model Context Protocol: gateway and worker in one container" \
      io.modelcontextprotocol.server.name="io.github.longhaul-dev/longhaul"
USER 0:0
RUN mkdir /data && chown 1000:1000 /data
USER 1000:1000
# Where tasks are kept without REDIS_URL.
VOLUME /data
ENV LONGHAUL_DATA_DIR=/data HOST=0.0.0.0 PORT=3000
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=30s --start-period=15s --retries=3 CMD ["node", "apps/gateway/dist/health-check.js"]
# With `stdio` in place of `start`, MCP is spoken on standard input and output: docker run --rm -i longhaul stdio
ENTRYPOINT ["node", "apps/cli/dist/main.js"]
CMD ["start"]
