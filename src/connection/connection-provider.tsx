import { QueryClientProvider } from "@tanstack/react-query";
import { Fragment, type ReactNode, useEffect, useState } from "react";
import { ClientContext, type Clients, currentClient } from "./client.ts";
import { useConnection, useConnections } from "./connection-store.ts";
import { followRows } from "./stored-rows.ts";

/**
 * Gives everything below it the client and the cache of the current connection. Each open connection has its own pair,
 * so that requests go on when the person switches to another one. `clients` are shared with the router, whose loaders
 * ask before a screen is drawn.
 */
export function ConnectionProvider({ clients: given, children }: { clients?: Clients; children: ReactNode }) {
  const id = useConnection()?.id;
  const connections = useConnections();
  const [clients] = useState<Clients>(() => given ?? new Map());
  const client = currentClient(clients);
  useEffect(() => {
    for (const clientId of clients.keys()) {
      if (clientId !== id && !connections.some(({ connection }) => connection.id === clientId))
        clients.delete(clientId);
    }
  }, [clients, connections, id]);
  useEffect(() => followRows(client.queryClient), [client]);
  return (
    <QueryClientProvider client={client.queryClient}>
      <ClientContext value={client}>
        {/* A mounted query stays with the cache it was mounted in, so another connection mounts everything anew. */}
        <Fragment key={id ?? "none"}>{children}</Fragment>
      </ClientContext>
    </QueryClientProvider>
  );
}
