// What React gives its work to: react-dom brings it, in the version that the lock file fixes. It has no types of its own.
declare module "scheduler" {
  export const unstable_IdlePriority: number;
  export function unstable_scheduleCallback(priority: number, callback: () => void): unknown;
}
