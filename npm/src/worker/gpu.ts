import { messageOf } from "../errors.js";
import { Gpu } from "../full-module.js";

/** The GPU, requested once. After it fails it is forgotten, and the next use requests one again. */
export class SharedGpu {
  /** Or why there is none. */
  #gpu: Promise<Gpu | string> | undefined;
  /** Whether one was requested again after a failure between steps: that happens once. */
  wasRequestedAgain = false;

  async get(): Promise<Gpu | string> {
    this.#gpu ??= Gpu.request().catch(messageOf);
    return this.#gpu;
  }

  async forget(): Promise<void> {
    const gpu = await this.#gpu;
    this.#gpu = undefined;
    if (gpu instanceof Gpu) gpu.free();
  }
}

/** The name of a GPU; browsers tell it less readily than drivers. */
export async function nameOf(gpu: Gpu): Promise<string> {
  if (gpu.name !== "") return gpu.name;
  interface Adapter {
    info?: { vendor?: string; architecture?: string; description?: string };
  }
  const { gpu: api } = navigator as { gpu?: { requestAdapter(options: object): Promise<Adapter | null> } };
  const adapter = await api?.requestAdapter({ powerPreference: "high-performance" }).catch(() => null);
  const { vendor, architecture, description } = adapter?.info ?? {};
  const name = description || [vendor, architecture].filter(Boolean).join(" ");
  return name || "without a name";
}
