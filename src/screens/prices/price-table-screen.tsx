/** `/prices/$modelId`: what a model would cost, without running anything. */
export function PriceTableScreen() {
  return <h1>Price table</h1>;
}
