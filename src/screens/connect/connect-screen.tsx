import { useRouter, useSearch } from "@tanstack/react-router";
import { FlaskConical } from "lucide-react";
import { openSandbox, useConnection } from "#connection/connection-store.ts";
import { Button } from "#ui/button.tsx";
import { ConnectForm } from "./connect-form.tsx";
import { CurrentConnection } from "./current-connection.tsx";
import { safeBack } from "./safe-back.ts";

/** Where a visitor without a connection lands: the sandbox in one press, or a key and two addresses. */
export function ConnectScreen() {
  const router = useRouter();
  const search: { back?: unknown } = useSearch({ strict: false });
  const connection = useConnection();
  const leave = () => router.history.push(safeBack(search.back));
  const enterSandbox = async () => {
    await openSandbox();
    leave();
  };
  return (
    <main className="grid min-h-dvh place-items-center bg-canvas px-4 py-10 text-ink">
      <div className="flex w-full max-w-[520px] flex-col gap-5">
        <div className="flex items-center gap-2.5 font-semibold text-[14.5px] tracking-[-0.01em]">
          <img src="/favicon.svg" alt="" width={18} height={18} />
          Safelight
        </div>
        <h1 className="m-0 font-semibold text-[26px] leading-tight tracking-[-0.02em]">Connect your service</h1>
        {connection && <CurrentConnection connection={connection} onOpen={leave} />}
        <section
          aria-label="Sandbox"
          className="flex items-center gap-4 rounded-md border border-line bg-panel p-3.5 max-sm:flex-col max-sm:items-stretch"
        >
          <p className="m-0 flex-1 text-ink-2">
            <span className="block font-medium text-ink">No key at hand?</span>
            Every screen works in the sandbox, with real media. Nothing is charged.
          </p>
          <Button size="lg" variant="outline" onClick={() => void enterSandbox()}>
            <FlaskConical size={16} aria-hidden="true" />
            Open the sandbox
          </Button>
        </section>
        <ConnectForm onConnected={leave} />
      </div>
    </main>
  );
}
