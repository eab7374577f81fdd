import { type LoadOptions, SmoothClir } from "smooth-clir";

const controller = new AbortController();
/** Its worker and its module start while the views of the page are made: this file is imported before them. */
let waiting: Promise<SmoothClir> | undefined = SmoothClir.start({ signal: controller.signal });
// Whoever takes it is told.
waiting.catch(() => {});

/** An engine with a model and documents: the first is the one that the page began with. */
export async function load(options: LoadOptions): Promise<SmoothClir> {
  const first = waiting;
  if (!first) return SmoothClir.load(options);
  waiting = undefined;
  const { model, documents, signal } = options;
  signal?.addEventListener("abort", () => controller.abort(signal.reason));
  const engine = await first;
  try {
    await engine.loadModel(model, documents, options);
    return engine;
  } catch (error) {
    engine.close();
    throw error;
  }
}
