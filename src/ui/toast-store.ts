import { create } from "zustand";
import type { NoticeTone } from "./notice.tsx";

export interface ToastInput {
  title: string;
  body?: string | undefined;
  /** Default `info`. Errors and warnings stay until dismissed. */
  tone?: NoticeTone | undefined;
  action?: { label: string; onAct: () => void } | undefined;
}

export interface Toast extends ToastInput {
  id: number;
  tone: NoticeTone;
}

/** The toasts on the screen, oldest first. */
export const useToasts = create<{ toasts: readonly Toast[] }>(() => ({ toasts: [] }));

let lastId = 0;

/** Shows a toast and returns its id. It replaces a toast with the same title and body. */
export function toast(input: ToastInput): number {
  lastId += 1;
  const added: Toast = { ...input, id: lastId, tone: input.tone ?? "info" };
  useToasts.setState(({ toasts }) => ({
    toasts: [...toasts.filter((other) => other.title !== added.title || other.body !== added.body), added],
  }));
  return added.id;
}

/** Removes a toast. */
export function dismissToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((other) => other.id !== id) }));
}
