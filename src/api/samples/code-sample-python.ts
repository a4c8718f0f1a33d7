import { quotePython } from "./quote-code.ts";

/**
 * The flow of `codeSample` as Python 3 with nothing to install. `queue` is the queue's address, `body` the JSON of a submit.
 */
export function pythonSample(queue: string, body: string): string {
  return `# Runs on Python 3.8 and newer. Set API_KEY in the environment first.
import json, os, random, re, time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

KEY = os.environ["API_KEY"]
QUEUE = ${quotePython(queue)}
BODY = ${quotePython(body)}


def call(path, body=None):
    """The parsed body of a response. Raises HTTPError, or OSError or ValueError when no whole response came."""
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    data = None if body is None else body.encode("utf-8")
    with urlopen(Request(QUEUE + path, data=data, headers=headers), timeout=600) as answer:
        return json.load(answer)


def status_of(error):
    """The HTTP status of a failed call, or 0 if there was no response."""
    return error.code if isinstance(error, HTTPError) else 0


def retry(statuses, path, body=None):
    """Repeats a call that fails with one of the statuses, up to 8 times, waiting longer each time, with jitter."""
    tries = 0
    while True:
        try:
            return call(path, body)
        except (OSError, HTTPException, ValueError) as error:
            tries += 1
            if tries > 8 or status_of(error) not in statuses:
                if isinstance(error, HTTPError):
                    print(error.code, error.read().decode("utf-8", "replace"))
                raise
        time.sleep(1 + random.uniform(0, 2**tries))


# Too many requests, busy, no response: for requests that cost nothing.
PASSING = (429, 502, 503, 0)

# 1. What it will cost. Nothing is charged.
print("Price: $" + str(retry(PASSING, "/apikey/requests/estimate", BODY)["price"] / 1_000_000))

# 2. Submit once. This charges. Only 429 is retried, because then the service accepted nothing.
try:
    job = retry((429,), "/apikey/requests", BODY)
    job_id = job["request_id"]
except (OSError, HTTPException, ValueError, KeyError, TypeError) as error:
    if status_of(error) in (400, 401, 402, 403, 404, 405, 406, 410, 413, 415, 422, 429):
        raise SystemExit("Not charged: the service rejected this job.")
    raise SystemExit(
        "You may have been charged. Check your job list before you run this again."
    )
print("Job:", job_id)


# 3. Poll every 5 to 10 seconds until the job has ended. A fast model may have finished in the first response.
def look():
    try:
        return retry(PASSING, "/apikey/requests/" + quote(job_id, safe=""))
    except (OSError, HTTPException, ValueError):
        raise SystemExit(f"The job is still running: {job_id}")


while job["status"] not in ("success", "failed", "cancelled"):
    time.sleep(random.uniform(5, 10))
    job = look()
if job["status"] == "success" and not job.get("outcome"):
    job = look()
print("Status:", job["status"])
if job["status"] == "failed":
    raise SystemExit("Refunded in full. " + json.dumps(job))
if job["status"] == "cancelled":
    raise SystemExit("The service does not say whether this job was refunded. Check your balance.")

# 4. Download. The files are public, so the key is not sent.
for n, item in enumerate((job.get("outcome") or {}).get("media_urls") or [], start=1):
    match = re.search(r"\\.([A-Za-z0-9]{1,5})$", urlsplit(item["url"]).path)
    name = f"result-{n}.{match.group(1) if match else 'bin'}"
    with urlopen(item["url"], timeout=600) as answer, open(name, "wb") as file:
        file.write(answer.read())
    print("Saved:", name)
`;
}
