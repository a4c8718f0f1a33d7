import { quoteBash } from "./quote-code.ts";

/**
 * The flow as a bash script over curl and jq. `queue` is the queue's address, `body` the JSON of a submit. Never
 * throws.
 */
export function bashSample(queue: string, body: string): string {
  return `#!/usr/bin/env bash
# Needs curl and jq. Set API_KEY in the environment first.
set -euo pipefail
: "\${API_KEY:?Set API_KEY to your key}"
queue=${quoteBash(queue)}
body=${quoteBash(body)}

# The key reaches curl through a file descriptor, so that no list of processes shows it.
call() {
  local answer
  answer=$(curl -sS --fail-with-body -H @<(printf 'Authorization: Bearer %s\\n' "$API_KEY") "$@") || {
    printf '%s\\n' "$answer" >&2
    return 1
  }
  printf '%s' "$answer"
}
post() { printf '%s' "$body" | call -H 'Content-Type: application/json' --data-binary @- "$queue$1"; }

# 1. What it will cost. Nothing is charged.
estimate=$(post /apikey/requests/estimate)
jq -r '"Price: $\\(.price / 1000000)"' <<<"$estimate"

# 2. Submit once. This charges. Do not repeat it when no answer comes: look at your job list first.
job=$(post /apikey/requests)
id=$(jq -r .request_id <<<"$job")
echo "Job: $id"

# 3. Ask every 5 to 10 seconds. After a failed read wait longer each time, with jitter.
failures=0
until jq -e '.status | IN("success", "failed", "cancelled")' <<<"$job" >/dev/null && jq -e '.status != "success" or .outcome' <<<"$job" >/dev/null; do
  if next=$(call "$queue/apikey/requests/$id"); then
    job=$next
    failures=0
    jq -e '.status | IN("success", "failed", "cancelled")' <<<"$job" >/dev/null || sleep $((5 + RANDOM % 6))
  else
    failures=$((failures + 1))
    if ((failures > 8)); then echo "Still no answer. The job goes on: $id" >&2; exit 1; fi
    sleep $((1 + RANDOM % (1 << failures)))
  fi
done
status=$(jq -r .status <<<"$job")
echo "Status: $status"
if [[ $status != success ]]; then echo "The charge is refunded." >&2; exit 1; fi

# 4. Download. The files are public: the key stays here.
n=0
jq -r '.outcome.media_urls[]?.url' <<<"$job" | while IFS= read -r url; do
  n=$((n + 1))
  file=\${url%%[?#]*}
  extension=\${file##*.}
  [[ $extension =~ ^[A-Za-z0-9]{1,5}$ ]] || extension=bin
  curl -sSL --fail -o "result-$n.$extension" -- "$url"
  echo "Saved: result-$n.$extension"
done
`;
}
