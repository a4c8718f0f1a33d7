// Which passwords and secrets are guessed first. It asks for no kinds of signs, only for what a list does not hold.

/** What people and guides write first, in one spelling: letters that a digit or a sign may stand for are matched as well. */
const USUAL_WORDS = `
  password passwort passwd passphrase parola senha contrasena motdepasse geheim secret admin administrator root toor user
  guest demo test testing login access welcome hello hallo world letmein qwerty qwertz azerty iloveyou loveyou monkey dragon
  sunshine princess football baseball basketball superman batman spiderman starwars pokemon master shadow michael jordan
  jennifer jessica ashley daniel charlie thomas samantha victoria alexander elizabeth jonathan william matthew anthony
  chocolate butterfly liverpool barcelona chelsea arsenal mercedes corvette maverick steelers minecraft nintendo bigdaddy
  computer internet whatever trustno freedom flower mustang hunter ninja killer cheese cookie banana orange purple diamond
  summer winter spring autumn default changeme changeit change replace example insert company server service private
  session production staging development insecure placeholder random string your here this with lorem ipsum dolor
  super snoopy safelight abcdef asdf zxcv choose-a-long-one least characters signs undefined null object
  contrasenya clave sesamo wachtwoord welkom lozenord losenord hemligt kodeord adgangskode passord salasana parool heslo
  haslo jelszo sifre lozinka geslo segreto sandi kata matkhau пароль секрет йцукен 密码 密碼 パスワード 비밀번호 willkommen
  sommer sesame opensesame swordfish deadbeef qazwsxedc correcthorsebatterystaple thequickbrownfox team
`
  .trim()
  .split(/\s+/)
  .concat("please", "studio")
  .map(fold);

/** Without what only changes how a letter looks: capitals, width, accents. */
function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").replaceAll("ł", "l").toLowerCase();
}

const STAND_INS: Record<string, string> = {
  a: "a@4",
  e: "e3",
  i: "i1!",
  l: "l1|",
  o: "o0",
  s: "s5$",
  t: "t7",
};

/** Longest first, so that `changeme` is not read as `change`. The last one is a year. */
const WORDS = new RegExp(
  [...USUAL_WORDS]
    .sort((one, other) => other.length - one.length)
    .map((word) => [...word].map((sign) => (STAND_INS[sign] ? `[${STAND_INS[sign]}]` : sign)).join(""))
    .concat("(?:19|20)\\d\\d")
    .join("|"),
  "g",
);

/** Ways along the keys of a keyboard. The alphabet and the digits go by their codes. */
const WALKS = ["qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "yxcvbnm", "zxcvbnm", "1234567890"]
  .concat([
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
    "1q2w3e4r5t6y7u8i9o0p",
    "q1w2e3r4t5y6u7i8o9p0",
    "zaqxswcdevfrbgtnhymju",
    "a1b2c3d4e5f6",
    "1a2b3c4d5e6f",
  ])
  .flatMap((walk) => [walk, [...walk].reverse().join("")]);

/** Whether a sign goes on where the one before left off: the same again, the next one, or the next key. */
function goesOn(sign: string, before: string): boolean {
  return (
    Math.abs((sign.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0)) <= 1 ||
    WALKS.some((walk) => walk.includes(before + sign))
  );
}

/** The shortest text that, written again and again, gives this one. */
function withoutRepeats(signs: readonly string[]): readonly string[] {
  for (let length = 1; length <= (signs.length * 2) / 3; length += 1) {
    if (signs.every((sign, at) => sign === signs[at % length])) return signs.slice(0, length);
  }
  return signs;
}

/**
 * How many signs of a text do not follow from those before, and how many different ones there are. A usual word counts as
 * one sign, however often and however it is written.
 */
function measure(text: string): { surprising: number; distinct: number } {
  const usual = new Map<string, string>();
  // Letters of the private range, two apart, so that no word goes on where another left off.
  const letterOf = (word: string) => {
    const known = usual.get(word) ?? String.fromCodePoint(0xe000 + usual.size * 2);
    usual.set(word, known);
    return known;
  };
  const signs = withoutRepeats([...fold(text).replace(WORDS, letterOf)]);
  const words = new Set(usual.values());
  // Two neighbours may be chance. The third of a sequence is not.
  const isSequel = (at: number) => goesOn(signs[at] ?? "", signs[at - 1] ?? "");
  const isNew = (sign: string, at: number) => !words.has(sign) || signs.indexOf(sign) === at;
  const surprising = signs.filter(
    (sign, at) => isNew(sign, at) && !(at > 1 && isSequel(at) && isSequel(at - 1)),
  ).length;
  return { surprising, distinct: new Set(signs).size };
}

/** A text in whose place a program or a person should have put another: `${NAME}`, `$(command)`, `<a password>`, `{{ name }}`. */
const STANDS_FOR_ANOTHER = /^\s*(?:\$\{.*\}|\$\(.*\)|`.*`|<.*>|\{\{.*\}\}|\[.*\]|%\w+%|\$[A-Z_]+)\s*$/su;

/** The text as it is, backwards, and without what people put between letters, where enough is left for a word. */
function readings(text: string): string[] {
  const dense = text.replace(/[\s\p{P}]+/gu, "");
  return [text, [...text].reverse().join(""), ...(dense.length < 8 ? [] : [dense])];
}

/**
 * Whether a password is one of those that are tried first: a usual word with little else, a sequence, few signs, or the
 * place of another text. `names` are what everybody sees who may try one, such as the host's.
 */
export function isGuessablePassword(text: string, names: readonly string[] = []): boolean {
  const rest = names
    .map(fold)
    .filter((name) => name.length > 3)
    .reduce((left, name) => left.replaceAll(name, ""), fold(text));
  const isWeak = (reading: string) => {
    const { surprising, distinct } = measure(reading);
    return surprising < 6 || distinct < 5;
  };
  return STANDS_FOR_ANOTHER.test(text) || (rest !== fold(text) && isWeak(rest)) || readings(text).some(isWeak);
}

/** The bytes that a text of base64 or hexadecimal digits stands for, one sign each. */
function decodings(text: string): string[] {
  const isHex = /^[0-9a-f]+$/i.test(text);
  const isBase64 = /^[\w+/-]+={0,2}$/.test(text);
  const forms = [isHex ? "hex" : undefined, isBase64 ? "base64" : undefined] as const;
  return forms.flatMap((form) => (form ? [Buffer.from(text, form).toString("latin1")] : []));
}

/**
 * Whether a secret of 32 characters or more is no random one: a sequence, repeats, words that guides write there, one of
 * these in base64 or hexadecimal digits, or the place of another text.
 */
export function isGuessableSecret(text: string): boolean {
  const isWeak = (reading: string, least: number) => {
    const { surprising, distinct } = measure(reading);
    return surprising < least || distinct < 8;
  };
  // Of 32 hexadecimal digits only 16 bytes are left: half of them must be new.
  const isWeakWithin = (bytes: string) => isWeak(bytes, Math.min(20, bytes.length / 2));
  return STANDS_FOR_ANOTHER.test(text) || isWeak(text, 20) || decodings(text).some(isWeakWithin);
}
