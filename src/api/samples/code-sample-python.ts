import { quotePython } from "./quote-code.ts";

/**
 * The flow as Python 3 with nothing to install. `queue` is the queue's address, `body` the JSON of a submit. Never
 * throws.
 */
export function pythonSample(queue: string, body: string): string {
  return `# Runs on Python 3.8 and newer. Set API_KEY in the environment first.
import json, os, random, re, time
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

KEY = os.environ["API_KEY"]
QUEUE = ${quotePython(queue)}
BODY = ${quotePython(body)}


def call(path, body=None):
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    data = None if body is None else body.encode("utf-8")
    try:
        with urlopen(Request(QUEUE + path, data=data, headers=headers), timeout=600) as answer:
            return json.load(answer)
    except HTTPError as error:
        raise SystemExit(f"{error.code} {error.read().decode('utf-8', 'replace')}") if data else error


# 1. What it will cost. Nothing is charged.
print("Price: $" + str(call("/apikey/requests/estimate", BODY)["price"] / 1_000_000))

# 2. Submit once. This charges. Do not repeat it when no answer comes: look at your job list first.
job = call("/apikey/requests", BODY)
job_id = job["request_id"]
print("Job:", job_id)

# 3. Ask every 5 to 10 seconds. After a failed read wait longer each time, with jitter.
FINAL = ("success", "failed", "cancelled")
failures = 0
while job["status"] not in FINAL or (job["status"] == "success" and not job.get("outcome")):
    try:
        job = call("/apikey/requests/" + quote(job_id, safe=""))
        failures = 0
        if job["status"] not in FINAL:
            time.sleep(random.uniform(5, 10))
    except (URLError, TimeoutError, ValueError):
        failures += 1
        if failures > 8:
            raise SystemExit(f"Still no answer. The job goes on: {job_id}")
        time.sleep(random.uniform(0, 2**failures))
print("Status:", job["status"])
if job["status"] != "success":
    raise SystemExit("The charge is refunded.")

# 4. Download. The files are public: the key stays here.
for n, item in enumerate(job["outcome"].get("media_urls") or [], start=1):
    match = re.search(r"\\.([A-Za-z0-9]{1,5})$", urlsplit(item["url"]).path)
    name = f"result-{n}.{match.group(1) if match else 'bin'}"
    with urlopen(item["url"], timeout=600) as answer, open(name, "wb") as file:
        file.write(answer.read())
    print("Saved:", name)
`;
}
