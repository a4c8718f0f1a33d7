import { createElement } from "react";
import { Streamdown } from "streamdown";
import { registerReactPage } from "./react-page.mjs";

registerReactPage(({ text, isEnded }) => createElement(Streamdown, { isAnimating: !isEnded }, text));
