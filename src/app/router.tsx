import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  parseSearchWith,
  type RouterHistory,
  redirect,
  stringifySearchWith,
} from "@tanstack/react-router";
import { readBatchSearch } from "#batch/batch-search.ts";
import { readPriceSearch } from "#batch/prices/price-search.ts";
import { ConnectScreen } from "#connect/connect-screen.tsx";
import { readConnectSearch } from "#connect/connect-search.ts";
import { type Client, type Clients, currentClient } from "#connection/client.ts";
import { getConnection, needsPageSandbox, onConnectionChange } from "#connection/connection-store.ts";
import { readCreateSearch } from "#create/create-search.ts";
import { readHistorySearch } from "#history/history-search.ts";
import { modelQueries } from "#models/model-queries.ts";
import { readPlaygroundSearch } from "#playground/playground-search.ts";
import { getPollControl } from "#runs/poll/poll-control.ts";
import { readSpendSearch } from "#spend/spend-filter.ts";
import { readText } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { textModelQueries } from "#text/text-model-queries.ts";
import { ErrorScreen, MissingCodeError, NotFoundScreen, PendingScreen } from "./fallback-screens.tsx";
import { RootLayout } from "./root-layout.tsx";

const rootRoute = createRootRouteWithContext<{ clients: Clients }>()({
  component: RootLayout,
  notFoundComponent: NotFoundScreen,
  beforeLoad: ({ location, cause }) => (cause === "preload" ? undefined : paintPressedLink(location.pathname)),
});

/** The shell around every screen but Connect: only a connected visitor sees it. Connect does not load its code. */
const studioRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "studio",
  beforeLoad: requireConnection,
  component: lazyScreen(() => import("./shell.tsx"), "Shell"),
});
const getParentRoute = () => studioRoute;

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/create", replace: true });
  },
});

const connectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/connect",
  staticData: { title: "Connect" },
  validateSearch: readConnectSearch,
  // In the page's own file: whoever has no connection sees it first.
  component: ConnectScreen,
});

/** One screen for both of its URLs, as Batch and Playground are: it stays while its URL gets a second part. */
const createScreenRoute = createRoute({
  getParentRoute,
  path: "/create",
  staticData: { title: "Create" },
  validateSearch: readCreateSearch,
  component: lazyScreen(() => import("#create/create-screen.tsx"), "CreateScreen"),
});

const createStartRoute = createRoute({
  getParentRoute: () => createScreenRoute,
  path: "/",
  loader: (visit) =>
    loadFirst(visit, ({ api, queryClient }) => {
      const { ids, detail } = modelQueries(api);
      const last = readText(KEYS.lastModel);
      // A list that was not read yet is no reason against the last model.
      const isListed = last !== null && (queryClient.getQueryData(ids().queryKey)?.includes(last) ?? true);
      return Promise.all([queryClient.ensureQueryData(ids()), isListed && queryClient.ensureQueryData(detail(last))]);
    }),
});

const createModelRoute = createRoute({
  getParentRoute: () => createScreenRoute,
  path: "$modelId",
  loader: (visit) =>
    loadFirst(visit, ({ api, queryClient }) => {
      const { ids, detail } = modelQueries(api);
      return Promise.all([
        queryClient.ensureQueryData(detail(visit.params.modelId)),
        // The picker shows the list once it is opened.
        visit.preload || queryClient.ensureQueryData(ids()),
      ]);
    }),
});

const batchRoute = createRoute({
  getParentRoute,
  path: "/batch",
  staticData: { title: "Batch" },
  validateSearch: readBatchSearch,
  loader: (visit) => loadFirst(visit, ({ api, queryClient }) => queryClient.ensureQueryData(modelQueries(api).ids())),
  component: lazyScreen(() => import("#batch/batch-screen.tsx"), "BatchScreen"),
});

const batchStartRoute = createRoute({ getParentRoute: () => batchRoute, path: "/" });

const storedBatchRoute = createRoute({ getParentRoute: () => batchRoute, path: "$batchId" });

const priceTableRoute = createRoute({
  getParentRoute,
  path: "/prices/$modelId",
  staticData: { title: "Price table" },
  validateSearch: readPriceSearch,
  loader: (visit) =>
    loadFirst(visit, async ({ api, queryClient }) => {
      const { modelId } = visit.params;
      const ids = await queryClient.ensureQueryData(modelQueries(api).ids());
      if (ids.includes(modelId)) await queryClient.ensureQueryData(modelQueries(api).detail(modelId));
    }),
  component: lazyScreen(() => import("#batch/prices/price-table-screen.tsx"), "PriceTableScreen"),
});

// The code of these two screens says what they ask the service for first. It is loaded with them, and not with the page.
const loadJobScreen = () => import("#job/job-screen.tsx");
const loadHistoryScreen = () => import("#history/history-screen.tsx");

const jobRoute = createRoute({
  getParentRoute,
  path: "/jobs/$requestId",
  staticData: { title: "Job" },
  // A link in a row of a long list has `preload={false}`: on the way over a list each job would be asked for.
  loader: (visit) =>
    loadFirst(visit, async ({ api, queryClient }) => {
      const { firstQuery } = await loadJobScreen();
      await queryClient.ensureQueryData(firstQuery(api, visit.params.requestId));
    }),
  component: lazyScreen(loadJobScreen, "JobScreen"),
});

const historyRoute = createRoute({
  getParentRoute,
  path: "/history",
  staticData: { title: "History" },
  validateSearch: readHistorySearch,
  // Without `loaderDeps`: with them the screen would get each change of a filter late, and a fast second one would undo it.
  loader: (visit) =>
    loadFirst(visit, async ({ api, queryClient }) => {
      const { firstQuery } = await loadHistoryScreen();
      await queryClient.ensureQueryData(firstQuery(api, readHistorySearch(visit.location.search)));
    }),
  component: lazyScreen(loadHistoryScreen, "HistoryScreen"),
});

const playgroundRoute = createRoute({
  getParentRoute,
  path: "/playground",
  staticData: { title: "Playground" },
  validateSearch: readPlaygroundSearch,
  loader: (visit) =>
    loadFirst(visit, ({ api, queryClient }) => queryClient.ensureQueryData(textModelQueries(api).all())),
  component: lazyScreen(() => import("#playground/playground-screen.tsx"), "PlaygroundScreen"),
});

const playgroundStartRoute = createRoute({ getParentRoute: () => playgroundRoute, path: "/" });

/** The id of a chat, or the name of an endpoint for a new one. */
const conversationRoute = createRoute({ getParentRoute: () => playgroundRoute, path: "$place" });

const spendRoute = createRoute({
  getParentRoute,
  path: "/spend",
  staticData: { title: "Spend" },
  validateSearch: readSpendSearch,
  component: lazyScreen(() => import("#spend/spend-screen.tsx"), "SpendScreen"),
});

const settingsRoute = createRoute({
  getParentRoute,
  path: "/settings",
  staticData: { title: "Settings" },
  component: lazyScreen(() => import("#settings/settings-screen.tsx"), "SettingsScreen"),
});

/** A URL that names no screen. */
const unknownRoute = createRoute({
  getParentRoute,
  path: "$",
  staticData: { title: "Page not found" },
  component: NotFoundScreen,
});

const routeTree = rootRoute.addChildren([
  indexRoute,
  connectRoute,
  studioRoute.addChildren([
    createScreenRoute.addChildren([createStartRoute, createModelRoute]),
    batchRoute.addChildren([batchStartRoute, storedBatchRoute]),
    priceTableRoute,
    jobRoute,
    historyRoute,
    playgroundRoute.addChildren([playgroundStartRoute, conversationRoute]),
    spendRoute,
    settingsRoute,
    unknownRoute,
  ]),
]);

/** Safelight's router. Tests pass a memory history; the page uses the browser's. */
export function createStudioRouter(options: { history?: RouterHistory } = {}) {
  const router = createRouter({
    ...options,
    routeTree,
    parseSearch: parseSearchWith(parseExactly),
    stringifySearch: stringifySearchWith(JSON.stringify, parseExactly),
    context: { clients: new Map() },
    defaultPreload: "intent",
    defaultErrorComponent: ErrorScreen,
    defaultNotFoundComponent: NotFoundScreen,
    defaultPendingComponent: PendingScreen,
    defaultPendingMs: 300,
    scrollRestoration: true,
  });
  // Runs every `beforeLoad` again: whoever lost the connection is sent to Connect.
  onConnectionChange((connection) => {
    if (connection === null) void router.invalidate();
  });
  return router;
}

/** Reads a value of a URL. A number is one only where it is written the same: `1.50` and 20 digits stay texts. */
function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (typeof value === "number" && String(value) !== text) throw new SyntaxError("Not written as a number is.");
  return value;
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createStudioRouter>;
  }
  interface HistoryState {
    /** Playground: the chat of an entry whose URL names none, because it is temporary or empty. */
    conversationId?: string;
  }
}

/**
 * A screen that is loaded when it is needed. Where that fails, the error screen offers a reload. Left to itself the router
 * would reload at once, also while the response to a submit is awaited.
 */
function lazyScreen<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  const loadCode = () =>
    load().catch((error: unknown) => {
      throw new MissingCodeError(error);
    });
  return lazyRouteComponent(loadCode, name);
}

interface ScreenVisit {
  context: { clients: Clients };
  cause: "preload" | "enter" | "stay";
}

/**
 * Asks the service for what a screen shows first, while its code is on its way or when somebody points at a link to it. No
 * screen waits for it: what fails is asked for again by the screen, which says so. A screen that is open asks by itself.
 */
function loadFirst({ context, cause }: ScreenVisit, ask: (client: Client) => Promise<unknown>): void {
  const connection = getConnection();
  // A sandbox in the page has to be started first.
  if (cause === "stay" || connection === null || needsPageSandbox(connection)) return;
  const client = currentClient(context.clients);
  // A refused key is not used again because somebody points at a link.
  if (cause === "preload" && getPollControl(client.api).isPaused()) return;
  ask(client).catch(() => {});
}

let lastPath: string | undefined;

/**
 * On the way to another screen: resolves after the next frame, in which the pressed link is marked. A screen is drawn in
 * one go, which takes a slow processor a fifth of a second and would hold that frame back.
 */
async function paintPressedLink(path: string): Promise<void> {
  // From `/create` to the model used last nothing was pressed.
  const isSame = lastPath === undefined || `${path}/`.startsWith(`${lastPath}/`);
  lastPath = path;
  // A hidden page has no frames.
  if (isSame || document.visibilityState === "hidden") return;
  await new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

/** For `beforeLoad`: sends a visitor without a connection to Connect, and remembers where they were going. */
function requireConnection({ location }: { location: { href: string } }): void {
  if (getConnection()) return;
  // Read as Connect will read it, which takes only URLs of this page.
  const { back } = readConnectSearch({ back: location.href });
  throw redirect({ to: "/connect", search: back === undefined || back === "/create" ? {} : { back } });
}
