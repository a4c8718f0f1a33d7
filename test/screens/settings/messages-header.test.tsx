import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it } from "vitest";
import { connect, disconnect, getConnection, useConnection } from "#connection/connection-store.ts";
import { ConnectionSettings } from "#screens/settings/connection-settings.tsx";
import { fakeHost, leaveHost } from "../../connection/fake-host.ts";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => {
  disconnect();
  leaveHost();
});

function Part() {
  const connection = useConnection();
  return connection && <ConnectionSettings connection={connection} />;
}

async function visit() {
  const history = createMemoryHistory({ initialEntries: ["/"] });
  render(<RouterProvider router={createRouter({ routeTree: createRootRoute({ component: Part }), history })} />);
  return userEvent.setup();
}

const ORDER = {
  key: "sk-canary-0123456789",
  queueBaseUrl: "https://api.example.com/q",
  inferenceBaseUrl: "https://api.example.com",
};

// Spec 5.3.
it("the header of the key for the messages endpoint is changed in Settings, and kept", async () => {
  fakeHost({});
  await connect(ORDER);
  const user = await visit();
  const choice = await screen.findByRole("radiogroup", { name: "Key header for the messages endpoint" });
  expect(within(choice).getByRole("radio", { name: "Authorization: Bearer" })).toBeChecked();
  await user.click(within(choice).getByRole("radio", { name: "x-api-key" }));
  expect(within(choice).getByRole("radio", { name: "x-api-key" })).toBeChecked();
  expect(getConnection()).toMatchObject({ usesApiKeyHeader: true });
  expect(JSON.stringify({ ...sessionStorage })).toContain('\\"usesApiKeyHeader\\":true');
});
