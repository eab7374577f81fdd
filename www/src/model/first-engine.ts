import { type Progress, SmoothClir } from "smooth-clir";
import { isOfFile } from "../ui/failure";
import { forgetKept } from "./kept-files";

/** Its worker and its module start while the views of the page are made: this file is imported before them. */
let waiting: Promise<SmoothClir> | undefined = SmoothClir.start();
/** When it has its module, the link is free for more. */
export const hasModule: Promise<unknown> = waiting;
// Whoever takes the engine is told.
waiting.catch(() => {});

/** What is loaded. */
interface Loading {
  model: readonly URL[];
  documents: readonly URL[];
  signal: AbortSignal;
  onProgress?: ((one: Progress) => void) | undefined;
}

/** An engine with a model and documents: the first is the one that the page began with. */
export async function load(options: Loading): Promise<SmoothClir> {
  const engine = waiting;
  waiting = undefined;
  try {
    return await SmoothClir.load(options, engine);
  } catch (error) {
    if (isOfFile(error)) await forgetKept([...options.model, ...options.documents]);
    throw error;
  }
}
