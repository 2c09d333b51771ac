import { Component, type ComponentType, createElement } from "preact";

/**
 * Draws a component again only when one of its properties changes. `preact/compat` has the same, with much
 * else that the page does not use.
 */
export function memo<P extends object>(Drawn: ComponentType<P>): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const [before, after] = [Object.entries(this.props), new Map(Object.entries(next))];
      return before.length !== after.size || before.some(([key, value]) => !Object.is(after.get(key), value));
    }
    render() {
      return createElement(Drawn, this.props);
    }
  };
}
