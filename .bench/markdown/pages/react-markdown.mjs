import { createElement } from "react";
import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";
import { registerReactPage } from "./react-page.mjs";

const plugins = [remarkGfm];
registerReactPage(({ text }) => createElement(Markdown, { remarkPlugins: plugins }, text));
