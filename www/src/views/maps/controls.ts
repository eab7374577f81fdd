import { make } from "../../ui/dom";
import type { Store } from "../../state/state";
import { LAYERS, maps, QUANTITIES, REACHES, type MapsState } from "../../state/maps";
import { text } from "./strings";

/** The choice of quantity, layers and reach. */
export class Controls {
  readonly element = make("div", "maps-controls");
  readonly #store: Store;
  readonly #inputs = new Map<string, HTMLInputElement>();
  readonly #reach = make("select");

  constructor(store: Store) {
    this.#store = store;
    const quantities = QUANTITIES.map((quantity) =>
      this.#chip("radio", quantity, text.chips[quantity], () => this.#set({ quantity })),
    );
    const layers = LAYERS.map((layer) =>
      this.#chip("checkbox", layer, text.layers[layer], (checked) => {
        const { layers, reach } = store.state.maps;
        // Documents are longer than the vectors of Figure 1.
        const wider = layer === "documents" && checked && reach === "2";
        this.#set({
          layers: LAYERS.filter((one) => (one === layer ? checked : layers.includes(one))),
          reach: wider ? "4" : reach,
        });
      }),
    );
    for (const reach of REACHES) this.#reach.append(new Option(text.reach(reach), reach));
    this.#reach.addEventListener("change", () => this.#set({ reach: this.#reach.value as MapsState["reach"] }));
    const reach = make("label", "maps-reach", text.reachLabel);
    reach.append(this.#reach);
    const reset = make("button", "", text.reset);
    reset.type = "button";
    reset.addEventListener("click", () => this.#set({ ...maps.usual, layers: store.state.maps.layers }));
    const last = make("div", "controls");
    last.append(group(text.layerLegend, layers), reach, reset);
    this.element.append(group(text.quantityLegend, quantities), last);
  }

  update(): void {
    const { quantity, layers, reach } = this.#store.state.maps;
    for (const [name, input] of this.#inputs) {
      input.checked = name === quantity || layers.some((layer) => layer === name);
    }
    this.#reach.value = reach;
  }

  #set(patch: Partial<MapsState>): void {
    this.#store.set({ maps: { ...this.#store.state.maps, ...patch } });
  }

  #chip(type: "radio" | "checkbox", name: string, label: string, onChange: (checked: boolean) => void): HTMLElement {
    const chip = make("label", "chip");
    const input = make("input");
    input.type = type;
    if (type === "radio") input.name = "maps-quantity";
    input.addEventListener("change", () => onChange(input.checked));
    this.#inputs.set(name, input);
    chip.append(input, make("span", "", label));
    return chip;
  }
}

function group(legend: string, chips: readonly HTMLElement[]): HTMLFieldSetElement {
  const fieldset = make("fieldset", "maps-choice");
  const box = make("div", "chips");
  box.append(...chips);
  fieldset.append(make("legend", "", legend), box);
  return fieldset;
}
