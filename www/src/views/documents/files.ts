/** A file and its path in the folder that was given. */
export interface Found {
  path: string;
  file: File;
}

/** Files of an input, be it one of files or of a folder. */
export const filesOf = (files: FileList | null): Found[] =>
  visible([...(files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file })));

/** Files and whole folders that were dropped. To be called while the event is: what was dropped is gone after it. */
export function dropped(transfer: DataTransfer): Promise<Found[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry());
  const files = entries.filter((entry) => entry !== null);
  if (files.length === 0) return Promise.resolve(filesOf(transfer.files));
  return Promise.all(files.map(walk)).then((found) => visible(found.flat()));
}

async function walk(entry: FileSystemEntry): Promise<Found[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ path: entry.fullPath.replace(/^\//, ""), file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: Found[] = [];
  // It gives some at a time, and in the end none.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return found;
    for (const one of some) found.push(...(await walk(one)));
  }
}

/** Without those that a system hides, in the order of their names. */
const visible = (found: Found[]) =>
  found
    .filter(({ path }) => path.split("/").every((part) => !part.startsWith(".")))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
