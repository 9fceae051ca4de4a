# Builds the service and puts it into an image that holds node, the libraries it is linked with, and nothing else:
# no shell, no package manager, no second user. Another base, where this one cannot be had: --build-arg BASE=…
ARG BASE=node:24-bookworm-slim

FROM ${BASE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY src src
RUN npm run build && find dist -name '*.d.ts' -delete
COPY static/swagger-ui static/swagger-ui
# ldd names what node is linked with, by the paths it is looked for.
RUN mkdir -p /data /image/app /image/usr/local/bin \
 && cp "$(node -p process.execPath)" /image/usr/local/bin/node \
 && ldd /image/usr/local/bin/node | grep -o '/[^ ]*' | xargs -I{} cp -L --parents {} /image \
 && cp -r package.json dist static /image/app
COPY LICENSE /image/app/

FROM scratch
COPY --from=build /image /
# For who mounts a volume there and gives --store /data/todo.db. Nothing is written to it otherwise.
COPY --from=build --chown=65532:65532 /data /data
# A container is reached from outside; elsewhere the default is loopback.
ENV NODE_ENV=production HOST=0.0.0.0
USER 65532:65532
EXPOSE 8080
STOPSIGNAL SIGTERM
# It asks where the environment says, so give another port as PORT, not as a flag.
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s --retries=3 CMD ["/usr/local/bin/node", "/app/dist/main.js", "--health"]
ENTRYPOINT ["/usr/local/bin/node", "/app/dist/main.js"]
