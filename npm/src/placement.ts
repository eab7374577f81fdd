import { messageOf, nameOf, type Card } from "./card.js";
import type { Gpu } from "./full/smooth_clir.js";
import type { Device, DeviceWish } from "./learning.js";

/** What takes steps, in WebAssembly until it is moved. */
interface Learner {
  moveTo(gpu: Gpu): Promise<void>;
}

const inWasm = (reason: string): Device => ({ kind: "wasm", name: "WebAssembly", reason });

/** Where a lesson or a training takes its steps: on the graphics card, if that is wished for and it does them right. */
export class Placement {
  readonly #card: Card;
  readonly #wish: DeviceWish;
  readonly #learner: Learner;
  #device = inWasm("it was asked for");

  constructor(card: Card, wish: DeviceWish, learner: Learner) {
    this.#card = card;
    this.#wish = wish;
    this.#learner = learner;
  }

  get device(): Device {
    return this.#device;
  }

  /** Moves it to where it is wished. */
  async move(): Promise<void> {
    if (this.#wish === "wasm") return;
    const gpu = await this.#card.get();
    if (typeof gpu === "string") {
      this.#device = inWasm(gpu);
      return;
    }
    const name = await nameOf(gpu);
    if (this.#wish === "auto" && gpu.software) {
      this.#device = inWasm(`the graphics card here (${name}) is the processor in disguise, and slower`);
      return;
    }
    try {
      await this.#learner.moveTo(gpu);
      this.#device = { kind: "webgpu", name, reason: "its first gradients were those of the processor" };
    } catch (error) {
      this.#device = inWasm(`${name} failed: ${messageOf(error)}`);
      await this.#card.forget();
    }
  }

  /** The graphics card failed, and the learner goes on without it: another is asked for, once. */
  async failed(reason: string): Promise<void> {
    await this.#card.forget();
    if (this.#card.askedAgain) {
      this.#device = inWasm(`the graphics card failed: ${reason}`);
      return;
    }
    this.#card.askedAgain = true;
    await this.move();
    this.#device.reason += `; the graphics card failed before: ${reason}`;
  }
}
