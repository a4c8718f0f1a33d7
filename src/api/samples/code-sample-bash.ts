import { quoteBash } from "./quote-code.ts";

/**
 * The flow of `codeSample` as a bash script over curl and jq. `queue` is the queue's address, `body` the JSON of a submit.
 */
export function bashSample(queue: string, body: string): string {
  return `#!/usr/bin/env bash
# Needs curl and jq. Set API_KEY in the environment first.
set -euo pipefail
: "\${API_KEY:?Set API_KEY to your key}"
queue=${quoteBash(queue)}
body=${quoteBash(body)}

# Prints the body of a response. Otherwise it fails with 1: too many requests, nothing was accepted; 2: busy, or no
# response; 3: rejected; 4: anything else. The key reaches curl through a file descriptor, so that no list of processes
# shows it.
call() {
  local answer status
  answer=$(curl -sS -w '\\n%{http_code}' -H @<(printf 'Authorization: Bearer %s\\n' "$API_KEY") "$@") || answer=$'\\n000'
  status=\${answer##*$'\\n'}
  answer=\${answer%$'\\n'*}
  if [[ $status == 2* ]]; then printf '%s' "$answer"; return; fi
  printf '%s %s\\n' "$status" "$answer" >&2
  case $status in
    429) return 1 ;;
    000 | 502 | 503) return 2 ;;
    40[0-6] | 410 | 413 | 415 | 422) return 3 ;;
    *) return 4 ;;
  esac
}
post() { printf '%s' "$body" | call -H 'Content-Type: application/json' --data-binary @- "$queue$1"; }

# Repeats a call that fails in one of the ways $1, up to 8 times, waiting longer each time, with jitter.
retry() {
  local ways=$1 tries=0 way
  shift
  until "$@"; do
    way=$?
    if [[ $way != $ways ]] || ((++tries > 8)); then return "$way"; fi
    sleep $((1 + RANDOM % (1 << tries)))
  done
}

# 1. What it will cost. Nothing is charged.
estimate=$(retry '[12]' post /apikey/requests/estimate)
jq -r '"Price: $\\(.price / 1000000)"' <<<"$estimate"

# 2. Submit once. This charges. Only 429 is retried, because then the service accepted nothing.
job=$(retry 1 post /apikey/requests) || { if (($? == 1 || $? == 3)); then echo "Not charged: the service rejected this job." >&2; exit 1; fi; }
id=$(jq -r '.request_id // empty' <<<"$job") || id=
if [[ -z $id ]]; then
  echo "You may have been charged. Check your job list before you run this again." >&2
  exit 1
fi
echo "Job: $id"

# 3. Poll every 5 to 10 seconds until the job has ended. A fast model may have finished in the first response.
look() { job=$(retry '[12]' call "$queue/apikey/requests/$id") || { echo "The job is still running: $id" >&2; exit 1; }; }
until jq -e '.status | IN("success", "failed", "cancelled")' <<<"$job" >/dev/null; do
  sleep $((5 + RANDOM % 6))
  look
done
if jq -e '.status == "success" and (.outcome | not)' <<<"$job" >/dev/null; then look; fi
status=$(jq -r .status <<<"$job")
echo "Status: $status"
case $status in
  failed) printf '%s\\n' "$job" "Refunded in full." >&2; exit 1 ;;
  cancelled) echo "The service does not say whether this job was refunded. Check your balance." >&2; exit 1 ;;
esac

# 4. Download. The files are public, so the key is not sent.
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
