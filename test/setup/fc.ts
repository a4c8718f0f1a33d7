// fast-check for the tests. A failure must be the fault of the commit that shows it, so the cases of a run are always the
// same ones. `PROPERTY_SEED=$RANDOM npm run unit` looks for new ones; a seed that fails becomes an example in its test.
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_261_121) });

export * from "fast-check";
export default fc;
