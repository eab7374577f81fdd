import { Gpu } from "./full/smooth_clir.js";

/** The graphics card, asked for once; a card that failed is forgotten, and the next one who needs it asks anew. */
export class Card {
  /** Or why there is none. */
  #gpu: Promise<Gpu | string> | undefined;
  /** Whether one was asked for again after one had failed in the middle of steps: it is, once. */
  askedAgain = false;

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

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What a graphics card is called; browsers tell it less readily than drivers. */
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
