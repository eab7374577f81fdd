/** Shows one element of the page, and nothing beside it, until another one or none is wanted. */
export class Alone {
  #shown: Element | undefined;

  show(element: Element | undefined): void {
    if (element === this.#shown) return;
    this.#shown = element;
    for (const name of ["left-out", "way-to-alone"]) {
      for (const one of document.querySelectorAll(`.${name}`)) one.classList.remove(name);
    }
    for (let node = element; node && node !== document.body && node.parentElement; node = node.parentElement) {
      const parent = node.parentElement;
      for (const other of parent.children) if (other !== node) other.classList.add("left-out");
      if (parent !== document.body) parent.classList.add("way-to-alone");
    }
  }
}
