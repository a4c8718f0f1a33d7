// What Redis does in one step. Each script runs alone, so two hosts that ask at once get one after the other.

/** Braces: in a cluster all keys lie on one node, which a script needs. */
const PREFIX = "{safelight}";

export const KEYS = {
  memory: `${PREFIX}:memory`,
  attempt: (id: string) => `${PREFIX}:attempt:${id}`,
  answer: (id: string) => `${PREFIX}:answer:${id}`,
  /** Sign of life of a host. */
  host: (owner: string) => `${PREFIX}:host:${owner}`,
  /** "<ends at ms> <bytes> <id>" of each answer that is stored, the oldest first. */
  answers: `${PREFIX}:kept`,
  answerBytes: `${PREFIX}:kept-bytes`,
  /** How many attempts were added in an hour. */
  added: `${PREFIX}:added`,
};

/**
 * Adds an attempt that is not known, and renews the sign of life of its host, so that no other host gives it up for as
 * long as that lasts. Returns `added`, `known` with the line and the answer, `other-memory`, or `full`.
 */
export const ADD = {
  numberOfKeys: 5,
  lua: `
local memory, attempt, answer, host, added = unpack(KEYS)
local newName, expected, line, retentionMs, aliveMs, maxAttempts = unpack(ARGV)
local name = redis.call("GET", memory)
if not name then
  name = newName
  redis.call("SET", memory, name)
end
if expected ~= "" and expected ~= name then return { "other-memory" } end
local known = redis.call("GET", attempt)
if known then return { "known", known, redis.call("GET", answer) } end
local hour = math.floor(redis.call("TIME")[1] / 3600)
local hours = {}
for back = 0, 24 do hours[back + 1] = added .. ":" .. (hour - back) end
local count = 0
for _, n in ipairs(redis.call("MGET", unpack(hours))) do count = count + (n or 0) end
if count >= tonumber(maxAttempts) then return { "full" } end
redis.call("INCR", hours[1])
redis.call("PEXPIRE", hours[1], retentionMs + 3600000)
redis.call("SET", attempt, line, "PX", retentionMs)
redis.call("SET", host, "1", "PX", aliveMs)
return { "added" }
`,
};

/**
 * Writes the new state of an attempt, unless another act's record stands there. The time that is left to it stays. Then
 * drops what is too old or too much of the answers, some at a time.
 */
export const REPLACE = {
  numberOfKeys: 4,
  lua: `
local attempt, answerKey, stored, storedBytes = unpack(KEYS)
local act, line, answer, id, retentionMs, maxBytes, answers = unpack(ARGV)
local known = redis.call("GET", attempt)
if known and string.sub(known, 1, #act) ~= act then return end
local left = redis.call("PTTL", attempt)
if left <= 0 then left = tonumber(retentionMs) end
redis.call("SET", attempt, line, "PX", left)
if answer == "" then return end
redis.call("SET", answerKey, answer, "PX", left)
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call("RPUSH", stored, string.format("%.0f %d %s", now + left, #answer, id))
local bytes = redis.call("INCRBY", storedBytes, #answer)
for _ = 1, 100 do
  local oldest = redis.call("LINDEX", stored, 0)
  if not oldest then return end
  local ends, size, oldId = string.match(oldest, "^(%d+) (%d+) (.+)$")
  if bytes <= tonumber(maxBytes) and tonumber(ends) > now then return end
  redis.call("LPOP", stored)
  -- What is too old is gone by itself, and under its name there may be a new one.
  if tonumber(ends) > now then redis.call("DEL", answers .. oldId) end
  bytes = redis.call("DECRBY", storedBytes, size)
end
`,
};

/** Forgets an attempt, unless another act's record stands there. */
export const REMOVE = {
  numberOfKeys: 1,
  lua: `
local known = redis.call("GET", KEYS[1])
if known and string.sub(known, 1, #ARGV[1]) == ARGV[1] then redis.call("DEL", KEYS[1]) end
`,
};
