/*
 * Starts Swagger UI on the element with the id "swagger-ui".
 *
 * Where the application lives is read from the address of this very script: everything before "swagger/ui/" in it. A proxy
 * may have put a prefix in front that the service never sees; a link written by the service would then lead past the proxy,
 * and a basePath written by the service would send every call of the page there. So the page asks for the document and makes
 * its calls where it was itself found.
 */
(() => {
  'use strict';

  // The path from the folder of this script to the application, and the path of the document, which the service may replace.
  const place = { application: '../../', document: 'swagger/v1/swagger.json' };

  const application = new URL(place.application, document.currentScript.src);
  // The title of the page that this script comes with. Any other title is the page's own, and stays.
  const takesTitle = document.title === 'To-do items';

  // A mounted description describes what is below its mount.
  const [mount = ''] = /^.*(?=swagger\/v1\/[^/]+\.json$)/.exec(place.document) ?? [];
  const basePath = new URL(mount, application).pathname.replace(/(.)\/$/, '$1');

  /** Sends the calls of the page to the application that the page came from. */
  const CallsWhereThePageIs = () => ({
    statePlugins: {
      spec: {
        wrapActions: {
          updateJsonSpec: (original) => (description) => {
            if (takesTitle && description?.info?.title) document.title = description.info.title;
            if (description?.swagger) return original({ ...description, basePath });
            if (description?.openapi) return original({ ...description, servers: [{ url: basePath }] });
            return original(description);
          },
        },
      },
    },
  });

  /** An empty securityDefinitions is as good as none: no Authorize button, no empty bar for one. */
  const NothingToAuthorize = () => ({
    statePlugins: {
      spec: {
        wrapSelectors: {
          securityDefinitions: (original) => (state, ...rest) => {
            const definitions = original(state, ...rest);
            return definitions?.size ? definitions : null;
          },
        },
      },
    },
  });

  window.ui = SwaggerUIBundle({
    url: new URL(place.document, application).href,
    dom_id: '#swagger-ui',
    deepLinking: true,
    validatorUrl: null,
    queryConfigEnabled: false,
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [CallsWhereThePageIs, NothingToAuthorize],
    layout: 'BaseLayout',
  });
})();
