import { toast } from "#ui/toast-store.ts";
import type { Connection } from "./connection.ts";
import { forgetConnectionKey } from "./connection-store.ts";

/** What the button is called that ends a connection. */
export function endLabel({ isSandbox }: Connection): string {
  return isSandbox ? "Leave the sandbox" : "Disconnect";
}

/** Ends a connection as the person asked, and confirms what is deleted and what stays. Never rejects. */
export async function endConnection(connection: Connection): Promise<void> {
  const { name, keyHint, isSandbox } = connection;
  const isConfirmed = await forgetConnectionKey(connection);
  if (isSandbox) {
    toast({ tone: "success", title: "You left the sandbox", body: "Kept: your drafts on this device." });
  } else if (isConfirmed) {
    toast({
      tone: "success",
      title: `Disconnected from ${name}`,
      body: `Deleted: the key that ends in ${keyHint}, in every open tab. Kept: your drafts, jobs and spending on this device.`,
    });
  } else {
    toast({
      tone: "warning",
      title: `Disconnected from ${name}`,
      body: `This browser can no longer use the key that ends in ${keyHint}. The studio’s server did not confirm that it deleted the key. It deletes the key when the session ends.`,
    });
  }
}
