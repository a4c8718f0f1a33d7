import { getRouteApi, useRouter } from "@tanstack/react-router";
import { ChevronDown, FlaskConical } from "lucide-react";
import type { Connection } from "#connection/connection.ts";
import { openSandbox, useConnection, useConnections, useEndedConnection } from "#connection/connection-store.ts";
import { endConnection, endLabel } from "#connection/end-connection.ts";
import { getCustody } from "#connection/open-connection.ts";
import { hasSandbox } from "#connection/relay.ts";
import { useSealedConnections } from "#connection/sealed-connections.ts";
import { Button } from "#ui/button.tsx";
import { Notice } from "#ui/notice.tsx";
import { useIsPhone } from "#ui/use-media-query.ts";
import { ConnectForm } from "./connect-form.tsx";
import { safeBack } from "./connect-values.ts";
import { UnlockPanel } from "./unlock-panel.tsx";

const route = getRouteApi("/connect");

/** Where a visitor without a connection lands: the sandbox in one press, or a key and two addresses. */
export function ConnectScreen() {
  const router = useRouter();
  const { back } = route.useSearch();
  const connection = useConnection();
  const locked = useLocked();
  const leave = (home?: string) => router.history.push(safeBack(back, home));
  return (
    // From a fixed line downwards: what is found in a paste makes it longer, and nothing above may move. In two columns that
    // line is where an empty form of about 590 px stands a little above the middle.
    <main className="grid min-h-dvh content-start justify-items-center bg-canvas px-4 pt-[clamp(40px,11dvh,150px)] pb-10 text-ink lg:pt-[max(40px,40dvh-236px)] short:pt-6">
      <div className="grid w-full max-w-[560px] gap-x-14 gap-y-5 lg:w-auto lg:max-w-none lg:grid-cols-[560px_296px]">
        <header className="flex flex-col gap-5 lg:col-span-2">
          <div className="flex items-center gap-2.5 font-semibold text-[14.5px] tracking-[-0.01em]">
            <img src="/favicon.svg" alt="" width={18} height={18} />
            Safelight
          </div>
          <h1 className="m-0 font-semibold text-[28px] leading-tight tracking-[-0.022em]">Connect your service</h1>
        </header>
        <div className="flex min-w-0 flex-col gap-5">
          {connection && <CurrentConnection connection={connection} onOpen={() => leave()} />}
          {locked.length === 0 && <EndedNotice />}
          {locked.map((sealed) => (
            <UnlockPanel key={sealed.accountId} sealed={sealed} onOpened={() => leave()} />
          ))}
          <ConnectForm onConnected={leave} />
        </div>
        <aside className="flex min-w-0 flex-col gap-3.5 lg:pt-[26px]">
          <FindHelp />
          {hasSandbox() && <SandboxOffer onOpened={() => leave()} />}
        </aside>
      </div>
    </main>
  );
}

const STEPS = [
  ["Addresses.", "Open the service’s docs, copy a curl example, paste it here."],
  ["Key.", "In your account there, open “API keys”. Create a key if the list is empty."],
  ["Only one address?", "Paste that one. The studio looks for the other on the same host."],
] as const;

/** Where addresses and key are found. Folded on a phone, where it would push the sandbox out of sight. */
function FindHelp() {
  const isPhone = useIsPhone();
  return (
    <details open={!isPhone} className="group rounded-md bg-panel px-[18px] py-4">
      <summary className="flex cursor-pointer list-none items-center font-semibold text-[13.5px] leading-5 [&::-webkit-details-marker]:hidden">
        Where do I find these?
        <ChevronDown
          aria-hidden="true"
          className="ml-auto size-4 text-ink-3 transition-transform duration-150 group-open:rotate-180"
        />
      </summary>
      <ol className="m-0 mt-3.5 flex list-none flex-col gap-3.5 p-0 text-[13px] text-ink-2 leading-[19px]">
        {STEPS.map(([name, what], index) => (
          <li key={name} className="grid grid-cols-[20px_1fr] gap-2.5">
            <span
              aria-hidden="true"
              className="size-5 rounded-full bg-hover text-center font-medium text-[12px] text-ink-2 leading-5"
            >
              {index + 1}
            </span>
            <span className="text-pretty">
              <b className="font-medium text-ink">{name}</b> {what}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}

/** Every screen, without a key. */
function SandboxOffer({ onOpened }: { onOpened: () => void }) {
  const enter = async () => {
    await openSandbox();
    onOpened();
  };
  return (
    <section aria-label="Sandbox" className="rounded-md bg-panel px-[18px] py-4">
      <h2 className="m-0 font-semibold text-[13.5px] leading-5">No API key?</h2>
      <p className="m-0 mt-1 mb-3 text-pretty text-[13px] text-ink-2 leading-[19px]">
        Try every screen with sample jobs. Free demo.
      </p>
      <Button size="lg" variant="outline" className="w-full" onClick={() => void enter()}>
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
            Continue
          </Button>
          <Button size="sm" variant="ghost" onClick={() => void endConnection(connection)}>
            {endLabel(connection)}
          </Button>
        </>
      }
    >
      {!connection.isSandbox && (
        <>
          The key ends in <span className="font-mono text-[12px]">{connection.keyHint}</span>.{" "}
        </>
      )}
      A new key is added as another connection.
    </Notice>
  );
}

/** Keys that are stored on this device and not open in this tab. */
function useLocked() {
  const connections = useConnections();
  const sealed = useSealedConnections();
  if (getCustody({ isSandbox: false }) !== "worker") return [];
  return sealed.filter(({ accountId }) => connections.every(({ connection }) => connection.accountId !== accountId));
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
      {reason} Queued jobs keep running, and everything on this device is kept.
      {connection && " Enter the key again. The addresses are filled in."}
    </Notice>
  );
}
