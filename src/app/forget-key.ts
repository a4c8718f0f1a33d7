import { lazy } from "react";

/** The question before the key is forgotten, loaded when it is asked. */
export const ForgetKeyDialog = lazy(() =>
  import("#screens/settings/forget-key-dialog.tsx").then((module) => ({ default: module.ForgetKeyDialog })),
);
