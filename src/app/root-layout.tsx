import { Outlet, useMatch } from "@tanstack/react-router";
import { useConnection } from "#connection/connection-store.ts";
import { PageArrival } from "./page-arrival.tsx";
import { Shell } from "./shell.tsx";

/**
 * Connect stands alone; everything else stands in the shell and needs a connection. When the connection goes, the
 * screens go in the same moment and the router's redirect follows.
 */
export function RootLayout() {
  const connection = useConnection();
  const isConnecting = useMatch({ from: "/connect", shouldThrow: false }) !== undefined;
  return (
    <>
      <PageArrival />
      {isConnecting && <Outlet />}
      {!isConnecting && connection && <Shell key={connection.id} connection={connection} />}
    </>
  );
}
