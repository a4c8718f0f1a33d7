/** A file that the service does not store and this browser cannot make into one. `message` is for the screen. */
export class UnusableFileError extends Error {
  override readonly name = "UnusableFileError";
}
