// Starts Swagger UI without the validator badge, which would send a request to the Internet. Prefills the
// required fields of an operation and, after authorization with the token of a platform or user, the ids in
// the token; everything can be overwritten.
const idsOf = (token) => {
  const payload = token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/');
  const { sub, scope, platform_id } = JSON.parse(atob(payload));
  return scope === 'user' ? { user_id: sub, platform_id } : { platform_id: sub };
};

const fillIn = (ui, scheme, token) => {
  let ids;
  try {
    ids = idsOf(token);
  } catch {
    return; // no token; the server will say so
  }
  const { paths } = ui.specSelectors.specJson().toJS();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { security, parameters }] of Object.entries(methods)) {
      if (!security.some((one) => scheme in one)) continue;
      for (const { name, in: place } of parameters) {
        if (place !== 'path' || !ids[name]) continue;
        ui.specActions.changeParam([path, method], name, place, ids[name]);
      }
    }
  }
};

const fillInAll = (ui, schemes) => {
  for (const [scheme, { value }] of Object.entries(schemes)) fillIn(ui, scheme, value);
};

const ownIds = (ui) => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (authorize) => (schemes) => {
          const done = authorize(schemes);
          fillInAll(ui, schemes);
          return done;
        },
      },
    },
  },
});

// Swagger UI would prefill every field of a form, and send empty ones.
const blankUnlessRequired = () => ({
  wrapComponents: {
    JsonSchemaForm:
      (Form, { React }) =>
      (props) =>
        React.createElement(Form, {
          ...props,
          dispatchInitialValue: props.dispatchInitialValue && props.required,
        }),
    ParameterIncludeEmpty:
      (Choice, { React }) =>
      (props) =>
        React.createElement(Choice, {
          ...props,
          isIncludedOptions: { ...props.isIncludedOptions, defaultValue: false },
        }),
  },
});

const ui = SwaggerUIBundle({
  url: new URL('../openapi.json', document.currentScript.src).href,
  dom_id: '#api',
  deepLinking: true,
  validatorUrl: null,
  showExtensions: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  persistAuthorization: true,
  plugins: [ownIds, blankUnlessRequired],
  onComplete: () => fillInAll(ui, ui.authSelectors.authorized().toJS()),
});
