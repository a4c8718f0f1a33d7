import { toast } from "./toast-store.ts";

/** Copies a text, and says so: nothing else on the screen changes. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ title: "Copied" });
  } catch {
    toast({
      title: "The browser did not allow copying",
      body: "Select the text and copy it by hand.",
      tone: "error",
    });
  }
}
