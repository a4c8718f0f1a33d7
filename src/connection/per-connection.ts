/**
 * One thing per connection, made when it is first asked for. It is keyed by the identity of the connection's client (its
 * `Api`, its `TextClient`, or what is itself made once for each client): `currentClient` makes a fresh client for every
 * connection, also for the same key given again, and holds it until the connection ends. Nothing is dropped by hand: an
 * entry goes with its client. What `create` starts (listeners, timers) it must also stop, with `onConnectionEnd`.
 * The further arguments count only for the first call of each client. When `create` throws, nothing is stored.
 */
export function perConnection<Client extends object, Rest extends unknown[], Value>(
  create: (client: Client, ...rest: Rest) => Value,
): (client: Client, ...rest: Rest) => Value {
  const byClient = new WeakMap<Client, { value: Value }>();
  return (client, ...rest) => {
    const known = byClient.get(client);
    if (known !== undefined) return known.value;
    const value = create(client, ...rest);
    byClient.set(client, { value });
    return value;
  };
}
