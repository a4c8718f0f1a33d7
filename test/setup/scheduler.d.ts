// What React gives its work to. The package has no types of its own.
declare module "scheduler" {
  export const unstable_IdlePriority: number;
  export function unstable_scheduleCallback(priority: number, callback: () => void): unknown;
}
