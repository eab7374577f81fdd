/** Ends the command with a message. The status is 2 only if the command line is wrong. */
export class Failure extends Error {
  constructor(
    message: string,
    readonly status: 1 | 2 = 1,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The command line is wrong. */
export const usage = (problem: string): Failure => new Failure(problem, 2);

/** What the system says of a call that failed, without the path, which the message names. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  const said: Record<string, string> = {
    ENOENT: "it is not there",
    EACCES: "permission denied",
    EPERM: "permission denied",
    ENOSPC: "no space left on the device",
    EISDIR: "it is a folder",
    ENOTDIR: "a part of its path is not a folder",
    EROFS: "the file system is read-only",
  };
  return (code !== undefined ? said[code] : undefined) ?? error.message;
}
