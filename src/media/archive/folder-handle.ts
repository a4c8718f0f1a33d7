/** What is used of a folder that a person gave the page: not every browser, nor every TypeScript, knows it. */
export interface FolderHandle {
  name: string;
  getFileHandle(name: string, options?: { create?: boolean }): Promise<FolderFile>;
  removeEntry(name: string): Promise<void>;
  queryPermission?(options: { mode: "readwrite" }): Promise<PermissionState>;
  requestPermission?(options: { mode: "readwrite" }): Promise<PermissionState>;
}

export interface FolderFile {
  getFile(): Promise<File>;
  createWritable(): Promise<WritableStream<Uint8Array>>;
}

type Picker = (options: { id: string; mode: "readwrite"; startIn: "pictures" }) => Promise<FolderHandle>;

function picker(): Picker | undefined {
  return (globalThis as { showDirectoryPicker?: Picker }).showDirectoryPicker;
}

/** Whether this browser lets a page write into a folder of the person's choice. */
export function canPickFolder(): boolean {
  return picker() !== undefined;
}

/** Asks for a folder. Call it from a press. Undefined: the person changed their mind. */
export async function pickFolder(): Promise<FolderHandle | undefined> {
  try {
    return await picker()?.({ id: "safelight", mode: "readwrite", startIn: "pictures" });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return undefined;
    throw error;
  }
}
