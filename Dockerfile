# Builds an image of the service with two layers: node with its shared libraries, and the service with its compiled code.
# The image has no shell, no package manager and no second user.
#
# BASE: the base image, for example by its digest: --build-arg BASE=node:26-bookworm-slim@sha256:…
# STRIP=no: keeps the symbols of node. Without them the image is a fifth smaller. If the base lacks binutils, the build
# installs them to remove the symbols.
# NPM_CONFIG_REGISTRY: the registry of npm.
# COMMIT, SOURCE_DATE_EPOCH: the commit for --version and the labels, and the date of the page in seconds since 1970. The
# date of all files is 1970, so the layer of node stays the same until node or the base changes.
ARG BASE=node:26-bookworm-slim

FROM ${BASE} AS build
ARG STRIP=yes
WORKDIR /build
COPY test/release/runtime-files.sh ./
RUN sh runtime-files.sh /image/runtime && find /image/runtime -exec touch --no-dereference --date=@0 {} +
ARG NPM_CONFIG_REGISTRY
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY src src
COPY static/swagger-ui static/swagger-ui
COPY static/trace static/trace
COPY test/release test/release
COPY LICENSE ./
ARG COMMIT=unknown
ARG SOURCE_DATE_EPOCH=0
RUN node --import tsx test/release/one-file.ts /app/todo.cjs && install -m 644 LICENSE /app/LICENSE \
 && install -d -o 65532 -g 65532 /app/cache
# The compiled code is valid for one path and one user. With one thread (--predictable) its bytes are reproducible.
RUN NODE_COMPILE_CACHE=/app/cache setpriv --reuid=65532 --regid=65532 --clear-groups node --predictable /app/todo.cjs --version \
 && chown -R 0:0 /app && chmod -R u=rwX,go=rX /app && chmod a+x /app/todo.cjs \
 && find /app -exec touch --no-dereference --date=@0 {} +

FROM scratch
COPY --from=build /image/runtime /
COPY --from=build /app /app
# Requests come from outside of the container. The default would be loopback.
ENV NODE_ENV=production HOST=:: TODO_HEALTH_CHECKS=on NODE_COMPILE_CACHE=/app/cache
USER 65532:65532
EXPOSE 8080
STOPSIGNAL SIGTERM
# The check reads the environment, so set another port as PORT, not as a flag.
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s --retries=3 CMD ["/usr/local/bin/node", "/app/todo.cjs", "--health"]
ENTRYPOINT ["/usr/local/bin/node", "/app/todo.cjs"]
ARG BASE
ARG COMMIT=unknown
LABEL org.opencontainers.image.title="todo-item-service" \
      org.opencontainers.image.description="A to-do item service on a small, hand-built HTTP core" \
      org.opencontainers.image.version="1.0.0" \
      org.opencontainers.image.revision="${COMMIT}" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.base.name="${BASE}"
