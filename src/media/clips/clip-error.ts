/** A clip that this page cannot read or join. `message` is for the screen, in whole sentences. */
export class ClipError extends Error {
  override readonly name = "ClipError";
}
