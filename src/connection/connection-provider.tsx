import { QueryClientProvider } from "@tanstack/react-query";
import { Fragment, type ReactNode, useEffect, useState } from "react";
import { ClientContext, type Clients, currentClient } from "./client.ts";
import { useConnection, useConnections } from "./connection-store.ts";
import { followRows } from "./stored-rows.ts";

/**
 * Gives everything below it the client and the cache of the current connection. Each connection has a pair of its own for
 * as long as it is open, whatever it is called: what a connection that is switched away from has begun goes on. `clients`
 * are those of the router, whose loaders ask before a screen is drawn.
 */
export function ConnectionProvider({ clients: given, children }: { clients?: Clients; children: ReactNode }) {
  const id = useConnection()?.id;
  const connections = useConnections();
  const [clients] = useState<Clients>(() => given ?? new Map());
  const client = currentClient(clients);
  useEffect(() => {
    for (const known of clients.keys()) {
      if (known !== id && !connections.some(({ connection }) => connection.id === known)) clients.delete(known);
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
