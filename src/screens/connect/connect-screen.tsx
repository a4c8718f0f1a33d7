import { useRouter, useSearch } from "@tanstack/react-router";
import { FlaskConical } from "lucide-react";
import type { Connection } from "#connection/connection.ts";
import {
  disconnect,
  openSandbox,
  useConnection,
  useConnections,
  useEndedConnection,
} from "#connection/connection-store.ts";
import { custodyOf } from "#connection/open-connection.ts";
import { hasSandbox } from "#connection/relay.ts";
import { useSealedConnections } from "#connection/sealed-connections.ts";
import { Button } from "#ui/button.tsx";
import { lazyNamed } from "#ui/lazy-named.tsx";
import { Notice } from "#ui/notice.tsx";
import { ConnectForm } from "./connect-form.tsx";

// Few people keep a key on their device, and nobody does behind the studio's own host.
const UnlockPanel = lazyNamed(() => import("./unlock-panel.tsx"), "UnlockPanel");

/** Where a visitor without a connection lands: the sandbox in one press, or a key and two addresses. */
export function ConnectScreen() {
  const router = useRouter();
  const search: { back?: unknown } = useSearch({ strict: false });
  const connection = useConnection();
  const locked = useLocked();
  const leave = () => router.history.push(safeBack(search.back));
  return (
    <main className="grid min-h-dvh place-items-center bg-canvas px-4 py-10 text-ink">
      <div className="flex w-full max-w-[520px] flex-col gap-5">
        <div className="flex items-center gap-2.5 font-semibold text-[14.5px] tracking-[-0.01em]">
          <img src="/favicon.svg" alt="" width={18} height={18} />
          Safelight
        </div>
        <h1 className="m-0 font-semibold text-[26px] leading-tight tracking-[-0.02em]">Connect your service</h1>
        {connection && <CurrentConnection connection={connection} onOpen={leave} />}
        {locked.length === 0 && <EndedNotice />}
        {locked.map((kept) => (
          <UnlockPanel key={kept.accountId} kept={kept} onOpened={leave} />
        ))}
        {hasSandbox() && <SandboxOffer onOpened={leave} />}
        <ConnectForm onConnected={leave} />
      </div>
    </main>
  );
}

/** Every screen, without a key. */
function SandboxOffer({ onOpened }: { onOpened: () => void }) {
  const enter = async () => {
    await openSandbox();
    onOpened();
  };
  return (
    <section
      aria-label="Sandbox"
      className="flex items-center gap-4 rounded-md border border-line bg-panel p-3.5 max-sm:flex-col max-sm:items-stretch"
    >
      <p className="m-0 flex-1 text-ink-2">
        <span className="block font-medium text-ink">No key at hand?</span>
        Every screen works in the sandbox, with real media. Nothing is charged.
      </p>
      <Button size="lg" variant="outline" onClick={() => void enter()}>
        <FlaskConical size={16} aria-hidden="true" />
        Open the sandbox
      </Button>
    </section>
  );
}

/** Who the studio is connected to already: go on with it, or forget its key. */
function CurrentConnection({ connection, onOpen }: { connection: Connection; onOpen: () => void }) {
  return (
    <Notice
      tone="info"
      title={`Connected to ${connection.name}`}
      actions={
        <>
          <Button size="sm" onClick={onOpen}>
            Go on with it
          </Button>
          <Button size="sm" variant="ghost" onClick={disconnect}>
            Forget the key
          </Button>
        </>
      }
    >
      The key ends in <span className="font-mono text-[12px]">{connection.keyHint}</span>. Another key is added beside
      it.
    </Notice>
  );
}

/** Keys that are kept on this device and not open in this tab. */
function useLocked() {
  const connections = useConnections();
  const kept = useSealedConnections();
  if (custodyOf({ isSandbox: false }) !== "worker") return [];
  return kept.filter(({ accountId }) => connections.every(({ connection }) => connection.accountId !== accountId));
}

/** Why the person has to enter the key again. The addresses are in the form already. */
function EndedNotice() {
  const ended = useEndedConnection();
  if (!ended) return null;
  const { connection, reason } = ended;
  return (
    <Notice
      tone="warning"
      title={connection ? `The connection to ${connection.name} has ended` : "Enter your key again"}
    >
      {reason} Jobs in the queue go on, and everything on this device is kept.
      {connection && " Enter the key again; the addresses are filled in."}
    </Notice>
  );
}

const HOME = "/create";

/**
 * Where to go after connecting: a path of this studio, given by whatever sent the visitor here, or `/create`. Anything
 * that would leave this origin, and the connect screen itself, is not followed.
 */
function safeBack(back: unknown): string {
  if (typeof back !== "string" || !/^\/(?![/\\])/.test(back) || !URL.canParse(back, location.origin)) return HOME;
  const url = new URL(back, location.origin);
  if (url.origin !== location.origin || url.pathname === "/connect") return HOME;
  return `${url.pathname}${url.search}${url.hash}`;
}
